import { domainToUnicode } from 'node:url';
import { shownHost } from './addresses.ts';
import type { CodeKind } from './effects.ts';

const MAX_SHOWN = 10;
const MAX_NAME = 40;

/** Sentences of notes. They quote nothing of a file but names of servers, schemes and settings, and these only in part. */
export const sentences = {
  loads: (hosts: readonly string[]) =>
    `has browsers load from servers that the docs did not load from before: ${shown(hosts, hostInWords)}`,
  names: (hosts: readonly string[]) => `names servers that the docs did not name before: ${shown(hosts, hostInWords)}`,
  programs: (schemes: readonly string[]) => `has new links that open other programs: ${shown(schemes, nameInWords)}`,
  code: (kinds: readonly CodeKind[]) =>
    `has new code in it that runs when the site is built or read: ${[...new Set(kinds)].toSorted().join(', ')}`,
  settings: (names: readonly string[]) =>
    `changes settings by which the site loads or runs something: ${shown(names, nameInWords)}`,
};

function hostInWords(host: string): string {
  return shownHost(host, domainToUnicode(host));
}

function nameInWords(name: string): string {
  const plain = name.replace(/[^\w.$+-]+/g, '*');
  return `\`${plain.length <= MAX_NAME ? plain : `${plain.slice(0, MAX_NAME - 1)}…`}\``;
}

function shown(all: readonly string[], inWords: (one: string) => string): string {
  const first = all.slice(0, MAX_SHOWN).map(inWords).join(', ');
  return all.length <= MAX_SHOWN ? first : `${first} and ${all.length - MAX_SHOWN} more`;
}
