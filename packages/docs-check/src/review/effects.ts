import { hostsInText, readAddress } from './addresses.ts';

/** The name of a piece of code in sentences. */
export type CodeKind =
  | 'a script'
  | 'an event handler'
  | 'an address that is code'
  | 'a frame'
  | 'a style sheet'
  | 'a base address'
  | 'a meta element that a browser obeys'
  | 'a form'
  | 'an import'
  | 'an export'
  | 'an expression'
  | 'live code'
  | 'code in its front matter'
  | 'a template call'
  | 'an included file';

export interface CodePiece {
  kind: CodeKind;
  /** A text in every file that has this piece; null if there is none worth searching for. */
  probe: string | null;
}

/** What a file makes a reader's browser or the site's build do. */
export interface Effects {
  /** Servers that it names, in links, in prose and in code that is shown. */
  names: Set<string>;
  /** Servers that a browser asks as soon as the page is shown. */
  loads: Set<string>;
  /** Schemes of links that open other programs. */
  programs: Set<string>;
  /** By the piece's identity, so that the same piece elsewhere is the same. */
  code: Map<string, CodePiece>;
  /** Settings with their value that a build or a browser runs by. */
  settings: Map<string, string>;
  /** Why not all of it is known; null if it is. */
  unread: string | null;
}

/** How an address is used: followed by a reader, requested for an image, or loaded to run. */
export type Use = 'link' | 'image' | 'load';

/** Gathers the effects of one file. */
export class EffectCollector {
  readonly effects: Effects = {
    names: new Set(),
    loads: new Set(),
    programs: new Set(),
    code: new Map(),
    settings: new Map(),
    unread: null,
  };

  address(value: string, use: Use): void {
    for (const address of readAddress(value)) {
      if (address.kind === 'server') {
        this.effects.names.add(address.host);
        if (use !== 'link') this.effects.loads.add(address.host);
      } else if (address.kind === 'program') this.effects.programs.add(address.scheme);
      // An image as data can neither run nor load anything.
      else if (use !== 'image' || !/^\s*data:/i.test(value)) this.code('an address that is code', value);
    }
  }

  /** Only if it is recognizable as an address: most attributes and settings hold other things. */
  maybeAddress(value: string, use: Use): void {
    // The URL standard removes these before parsing.
    const plain = value.replace(/^[\0-\x20]+/, '').replace(/[\t\n\r]/g, '');
    if (
      /^[\\/]{2}/.test(plain) ||
      /^(?:javascript|vbscript|livescript|view-source|data(?=:[\w.+-]+\/|:[;,])):/i.test(plain)
    )
      this.address(value, use);
    else if (/^(?:https?|wss?|ftp|file):/i.test(plain) && !/ [^ ]* /.test(plain)) this.address(value, use);
    else this.text(value);
  }

  text(text: string): void {
    if (!/[:.]/.test(text)) return;
    for (const host of hostsInText(text)) this.effects.names.add(host);
  }

  /** @param identity identifies the same piece elsewhere; default: the source */
  code(kind: CodeKind, source: string, identity: string = source): void {
    const key = `${kind}\0${identity.replace(/\s+/g, ' ').trim()}`;
    this.effects.code.set(key, { kind, probe: probeOf(source) });
  }

  setting(name: string, value: string): void {
    this.effects.settings.set(name, `${this.effects.settings.get(name) ?? ''}${value}\n`);
  }

  unread(reason: string): void {
    this.effects.unread ??= reason;
  }
}

/** The longest word of a piece: short ones are in every file. */
function probeOf(source: string): string | null {
  let longest = '';
  for (const [word] of source.slice(0, 5_000).matchAll(/[\w$./:@-]{3,200}/g)) {
    if (word.length > longest.length) longest = word;
  }
  return longest === '' ? null : longest;
}
