import type { DiffFile } from '@docent/client';
import type { ComponentChild } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { FileDiff, FileMinus, FilePen, FilePlus } from 'lucide';
import { Icon } from '../../parts/icon.tsx';
import { TextField } from '../../parts/field.tsx';
import { text } from '../../text.ts';
import { shownText } from './shown-text.tsx';

const { changes: w } = text;

const ICONS = { added: FilePlus, deleted: FileMinus, renamed: FilePen, modified: FileDiff };

/** The changed files by their folders; choosing one goes to it. */
export function FileTree({ files, onChoose }: { files: readonly DiffFile[]; onChoose: (file: DiffFile) => void }) {
  const [filter, setFilter] = useState('');
  const choose = useRef(onChoose);
  choose.current = onChoose;
  const folders = useMemo(() => {
    const byFolder = new Map<string, Row[]>();
    for (const file of files) {
      const folder = file.path.slice(0, file.path.lastIndexOf('/') + 1);
      const rows = byFolder.get(folder) ?? [];
      rows.push(rowOf(file, file.path.slice(folder.length), () => choose.current(file)));
      byFolder.set(folder, rows);
    }
    return [...byFolder].toSorted(([a], [b]) => (a < b ? -1 : 1));
  }, [files]);
  const wanted = filter.trim().toLowerCase();
  const isWanted = ({ path }: Row) => path.includes(wanted);
  return (
    <nav class="file-tree" aria-label={w.files}>
      {files.length > 5 && <TextField type="search" label={w.filter} value={filter} onValue={setFilter} />}
      {!folders.some(([, rows]) => rows.some(isWanted)) && <p class="hint">{w.noFile}</p>}
      {folders.map(([folder, rows]) => (
        <div key={folder} hidden={!rows.some(isWanted)}>
          {folder && <p class="folder">{shownText(folder)}</p>}
          <ul class="files">
            {rows.map((row) => (
              <li key={row.path} hidden={!isWanted(row)}>
                {row.shown}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

/** Made once: while it is searched, rows only come and go. */
interface Row {
  /** In lower case. */
  path: string;
  shown: ComponentChild;
}

function rowOf(file: DiffFile, name: string, onClick: () => void): Row {
  const shown = (
    <button type="button" title={file.path} onClick={onClick}>
      <Icon of={ICONS[file.status]} label={w.status[file.status]} size={14} />
      <span class="cut">
        <bdi>{shownText(name)}</bdi>
      </span>
      <Lines of={file} />
    </button>
  );
  return { path: file.path.toLowerCase(), shown };
}

/** How many lines a file gained and lost. */
export function Lines({ of: { additions, deletions } }: { of: Pick<DiffFile, 'additions' | 'deletions'> }) {
  return (
    <span class="line-counts">
      {additions > 0 && <span class="plus">+{additions}</span>}{' '}
      {deletions > 0 && <span class="minus">−{deletions}</span>}
    </span>
  );
}
