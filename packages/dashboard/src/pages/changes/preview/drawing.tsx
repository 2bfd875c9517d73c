import type { ComponentChild } from 'preact';
import { text } from '../../../text.ts';
import { shownText } from '../shown-text.tsx';
import type { Drawn } from './arrange.ts';
import type { PageNode, ParsedPage } from './parse.ts';

const { changes: w } = text;

/** The drawn page, and the current depth. */
export interface Drawing {
  page: ParsedPage;
  /** Blocks to mark: see changedBlocks. */
  changed: ReadonlySet<PageNode>;
  /** The targets of reference links, by name. */
  targets: ReadonlyMap<string, string>;
  depth: number;
  /** Draws the content. */
  draw(node: Drawn, drawing: Drawing): ComponentChild;
}

/** Links to other places open; those within the docs lead nowhere here. */
export function drawnLink(url: string, children: ComponentChild): ComponentChild {
  if (/^https?:\/\//i.test(url))
    return (
      <a href={url} target="_blank" rel="noreferrer nofollow">
        {Array.isArray(children) && children.length === 0 ? shownText(url) : children}
      </a>
    );
  return (
    <span class="page-link" title={url}>
      {children}
    </span>
  );
}

/** Images are not loaded: they are on the site or on third-party servers. */
export function drawnImage(alt: string, url: string): ComponentChild {
  return (
    <span class="image-box" title={url}>
      <span class="kind">{w.imageLabel}</span> {shownText(alt || url)}
    </span>
  );
}
