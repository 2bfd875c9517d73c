import { ChevronDown, ChevronRight } from 'lucide';
import { useState } from 'preact/hooks';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { Icon } from '../../parts/icon.tsx';
import { count } from '../../parts/number.ts';
import { words } from '../../words.ts';
import type { Comments } from './comments.ts';
import { DiffLines, LINE_PX, type Layout } from './diff-lines.tsx';
import { Lines } from './file-tree.tsx';
import { Near } from './near.tsx';
import { shownText } from './shown-text.tsx';
import type { DiffFile } from './unified-diff.ts';

const { changes: w } = words;

/** Longer ones are drawn when they are opened. */
const OPEN_LINES = 400;
const IMAGE = /\.(?:png|jpe?g|gif|webp|avif|ico|bmp)$/i;

/** A changed file with its lines. @param id of its element, to go to */
export function FileBlock({
  file,
  id,
  layout,
  comments,
}: {
  file: DiffFile;
  id: string;
  layout: Layout;
  comments: Comments | null;
}) {
  const total = file.hunks.reduce((sum, { lines }) => sum + lines.length + 1, 0);
  const [isOpen, setOpen] = useState(total <= OPEN_LINES);
  return (
    <section class="file-block" id={id} tabIndex={-1} aria-label={file.path}>
      <header>
        <button type="button" class="fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <Icon of={isOpen ? ChevronDown : ChevronRight} />
          <span class="break">
            {file.oldPath && (
              <>
                <bdi>{shownText(file.oldPath)}</bdi> →{' '}
              </>
            )}
            <bdi>{shownText(file.path)}</bdi>
          </span>
        </button>
        {file.status !== 'modified' && <Badge>{w.status[file.status]}</Badge>}
        <Lines of={file} />
        <CopyButton text={file.path} what={w.path} />
      </header>
      {isOpen ? (
        <Near height={Math.min(total, OPEN_LINES) * LINE_PX}>
          {() => <Inside file={file} layout={layout} comments={comments} />}
        </Near>
      ) : (
        total > OPEN_LINES && (
          <p class="folded">
            <Button onClick={() => setOpen(true)}>{w.showLines(count(total))}</Button>
          </p>
        )
      )}
    </section>
  );
}

function Inside({ file, layout, comments }: { file: DiffFile; layout: Layout; comments: Comments | null }) {
  const { isBinary, hunks, notes, status, path } = file;
  return (
    <>
      {isBinary && <p class="hint about-file">{IMAGE.test(path) ? w.image : w.binary}</p>}
      {notes.map((note, i) => (
        <p key={i} class="hint about-file">
          {shownText(note)}
        </p>
      ))}
      {hunks.length === 0 && notes.length === 0 && !isBinary && (
        <p class="hint about-file">{status === 'renamed' ? w.movedAsItWas : w.noLines}</p>
      )}
      {hunks.length > 0 && <DiffLines file={file} layout={layout} comments={comments} />}
    </>
  );
}
