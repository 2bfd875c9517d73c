import type { DiffFile } from '@docent/client';
import { ChevronDown, ChevronRight } from 'lucide';
import { useState } from 'preact/hooks';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { Icon } from '../../parts/icon.tsx';
import { count } from '../../parts/number.ts';
import { text } from '../../text.ts';
import { Cited, type Citation } from './cited.tsx';
import type { Comments } from './comments.ts';
import { DiffLines, LINE_PX, type Layout } from './diff-lines.tsx';
import { Lines } from './file-tree.tsx';
import { Near } from './near.tsx';
import { shownText } from './shown-text.tsx';

const { changes: w } = text;

/** Longer ones are drawn when they are opened. */
const OPEN_LINES = 400;
const IMAGE = /\.(?:png|jpe?g|gif|webp|avif|ico|bmp)$/i;

/** The head of a file, and the button in place of its lines. */
const HEAD_PX = 41;
const FOLDED_PX = 55;

interface Shown {
  file: DiffFile;
  layout: Layout;
  comments: Comments | null;
  /** Of this file. */
  citations: readonly Citation[];
  /** Whether it is visible when the page is opened. */
  isFirst: boolean;
}

/** A changed file with its lines, drawn when it comes near the window. @param id of its element, to go to */
export function FileBlock({ id, ...shown }: Shown & { id: string }) {
  const { file, isFirst } = shown;
  const total = linesOf(file);
  return (
    <section class="file-block" id={id} tabIndex={-1} aria-label={file.path}>
      <Near height={HEAD_PX + (total > OPEN_LINES ? FOLDED_PX : total * LINE_PX)} isFirst={isFirst}>
        {() => <Block {...shown} total={total} />}
      </Near>
    </section>
  );
}

/** Including the heads of its parts. */
export function linesOf(file: DiffFile): number {
  return file.hunks.reduce((sum, { lines }) => sum + lines.length + 1, 0);
}

function Block({ total, ...shown }: Shown & { total: number }) {
  const { file } = shown;
  const [isOpen, setOpen] = useState(total <= OPEN_LINES);
  return (
    <>
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
        <Inside {...shown} />
      ) : (
        total > OPEN_LINES && (
          <p class="folded">
            <Button onClick={() => setOpen(true)}>{w.showLines(count(total))}</Button>
          </p>
        )
      )}
    </>
  );
}

function Inside({ file, citations, ...shown }: Shown) {
  const { binary, hunks, notes, status, path } = file;
  return (
    <>
      {binary && <p class="hint about-file">{IMAGE.test(path) ? w.image : w.binary}</p>}
      {notes.map((note, i) => (
        <p key={i} class="hint about-file">
          {shownText(note)}
        </p>
      ))}
      {hunks.length === 0 && notes.length === 0 && !binary && (
        <p class="hint about-file">{status === 'renamed' ? w.movedAsItWas : w.noLines}</p>
      )}
      <Cited of={citations} />
      {hunks.length > 0 && <DiffLines file={file} {...shown} />}
    </>
  );
}
