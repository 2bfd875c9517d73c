import type { BaseTree } from '@docent/base/files/base-tree';
import type { DocsSite } from '../read/docs-site.ts';
import { hostsInText, readAddress } from './addresses.ts';
import { fileKindOf } from './docs-files.ts';
import type { CodePiece } from './effects.ts';
import type { EffectReader } from './file-effects.ts';

/** The new effects of a change, without those that the docs had before. */
export interface Fresh {
  names: Set<string>;
  loads: Set<string>;
  code: Map<string, CodePiece>;
}

/** Characters of the base that are searched, and files of it that are parsed. */
const MAX_SEARCHED = 64_000_000;
const MAX_PARSED = 400;
/** Pieces of code that are looked for in the whole base: each costs a search. */
const MAX_PROBES = 60;
const HOST = /(?:[\p{L}\p{N}_-]+\.)+[\p{L}\p{N}-]+|\[[0-9a-f:.]{2,45}\]/giu;

/**
 * Removes effects that pages of the base have, too. Only what they *do* counts: a server in one of their
 * comments, which may be the very text that misled the agent, is not known.
 */
export function withoutKnown(fresh: Fresh, base: BaseTree, before: DocsSite, reader: EffectReader): void {
  if (isEmpty(fresh)) return;
  takeOutLinks(fresh, before);
  for (const text of configTexts(before)) for (const host of hostsInText(text)) fresh.names.delete(host);
  const probed = [...fresh.code].filter(([, { probe }]) => probe !== null).slice(0, MAX_PROBES);
  let [searched, parsed] = [0, 0];
  for (const { path, kind } of base.files()) {
    if (isEmpty(fresh) || searched > MAX_SEARCHED || parsed >= MAX_PARSED) return;
    if (kind !== 'text' || !/^(?:page|other page|markup|settings|data)$/.test(fileKindOf(path, before.site))) continue;
    const text = base.readText(path) ?? '';
    searched += text.length;
    const mayKnow =
      probed.some(([key, { probe }]) => fresh.code.has(key) && text.includes(probe!)) ||
      ((fresh.names.size > 0 || fresh.loads.size > 0) && namesAny(text, fresh));
    if (!mayKnow) continue;
    parsed++;
    const known = reader.read(path, text);
    for (const host of known.names) fresh.names.delete(host);
    for (const host of known.loads) fresh.loads.delete(host);
    for (const key of known.code.keys()) fresh.code.delete(key);
  }
}

/** Links of pages that were read for the docs checks anyway. */
function takeOutLinks(fresh: Fresh, before: DocsSite): void {
  if (fresh.names.size === 0 && fresh.loads.size === 0) return;
  const read = new Map<string, string[]>();
  for (const { facts } of before.pages()) {
    for (const { kind, target } of facts.links) {
      if (!/^[\s\p{Cc}]*(?:[a-z][a-z0-9+.-]*:|[\\/]{2})/iu.test(target)) continue;
      const origin = /^[^/?#\\]*[\\/]*[^/?#\\]*/.exec(target)![0];
      let hosts = read.get(origin);
      if (!hosts) {
        hosts = readAddress(target).flatMap((address) => (address.kind === 'server' ? [address.host] : []));
        read.set(origin, hosts);
      }
      for (const host of hosts) {
        fresh.names.delete(host);
        if (kind === 'image') fresh.loads.delete(host);
      }
    }
  }
}

/** The texts of a site's configuration, which pages cannot write. */
function configTexts({ site }: DocsSite): string[] {
  return [...(site.config?.sources.map(({ text }) => text) ?? []), ...(site.generator?.texts.values() ?? [])];
}

function namesAny(text: string, { names, loads }: Fresh): boolean {
  for (const [found] of text.matchAll(HOST)) {
    const host = found.toLowerCase();
    if (names.has(host) || loads.has(host)) return true;
  }
  return false;
}

function isEmpty({ names, loads, code }: Fresh): boolean {
  return names.size === 0 && loads.size === 0 && code.size === 0;
}
