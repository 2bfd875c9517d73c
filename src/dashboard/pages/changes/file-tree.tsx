import { useMemo, useState } from 'preact/hooks';
import { FileDiff, FileMinus, FilePen, FilePlus } from 'lucide';
import { Icon } from '../../parts/icon.tsx';
import { TextField } from '../../parts/field.tsx';
import { words } from '../../words.ts';
import { shownText } from './shown-text.tsx';
import type { DiffFile } from './unified-diff.ts';

const { changes: w } = words;

const ICONS = { added: FilePlus, deleted: FileMinus, renamed: FilePen, modified: FileDiff };

/** The changed files by their folders; choosing one goes to it. */
export function FileTree({ files, onChoose }: { files: readonly DiffFile[]; onChoose: (file: DiffFile) => void }) {
  const [filter, setFilter] = useState('');
  const folders = useMemo(() => {
    const wanted = filter.trim().toLowerCase();
    const byFolder = new Map<string, DiffFile[]>();
    for (const file of files) {
      if (wanted && !file.path.toLowerCase().includes(wanted)) continue;
      const folder = file.path.slice(0, file.path.lastIndexOf('/') + 1);
      byFolder.set(folder, [...(byFolder.get(folder) ?? []), file]);
    }
    return [...byFolder].toSorted(([a], [b]) => (a < b ? -1 : 1));
  }, [files, filter]);
  return (
    <nav class="file-tree" aria-label={w.files}>
      {files.length > 5 && <TextField type="search" label={w.filter} value={filter} onValue={setFilter} />}
      {folders.length === 0 && <p class="hint">{w.noFile}</p>}
      {folders.map(([folder, inside]) => (
        <div key={folder}>
          {folder && <p class="folder">{shownText(folder)}</p>}
          <ul class="files">
            {inside.map((file) => (
              <li key={file.path}>
                <button type="button" title={file.path} onClick={() => onChoose(file)}>
                  <Icon of={ICONS[file.status]} label={w.status[file.status]} size={14} />
                  <span class="cut">
                    <bdi>{shownText(file.path.slice(folder.length))}</bdi>
                  </span>
                  <Lines of={file} />
                </button>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
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
