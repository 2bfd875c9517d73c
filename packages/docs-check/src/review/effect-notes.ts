import { domainToUnicode } from 'node:url';
import { shownHost } from './addresses.ts';
import type { CodeKind } from './effects.ts';

const MAX_SHOWN = 10;
const MAX_NAME = 40;

/** Sentences of notes. They only quote names of servers, schemes and settings of a file, and only in part. */
export const sentences = {
  loads: (hosts: readonly string[]) =>
    `makes browsers load content from servers that the docs did not use before: ${shown(hosts, hostText)}`,
  names: (hosts: readonly string[]) =>
    `mentions servers that the docs did not mention before: ${shown(hosts, hostText)}`,
  programs: (schemes: readonly string[]) => `has new links that open other programs: ${shown(schemes, settingText)}`,
  code: (kinds: readonly CodeKind[]) =>
    `has new code that runs when the site is built or viewed: ${[...new Set(kinds)].toSorted().join(', ')}`,
  settings: (names: readonly string[]) =>
    `changes settings that make the site load or run something: ${shown(names, settingText)}`,
  lostFields: (names: readonly string[]) => `loses front matter fields: ${shown(names, settingText)}`,
  movedBy: (names: readonly string[]) => `gets another address through its front matter: ${shown(names, settingText)}`,
  hiddenBy: (names: readonly string[]) =>
    `is hidden from readers through its front matter: ${shown(names, settingText)}`,
  redirects: (sources: readonly string[]) => `no longer redirects readers from ${shown(sources, addressText)}`,
};

function hostText(host: string): string {
  return shownHost(host, domainToUnicode(host));
}

function settingText(name: string): string {
  return nameText(name, /[^\w.$+-]+/g);
}

function addressText(address: string): string {
  return nameText(address, /[^\w.$+:/-]+/g);
}

function nameText(name: string, unsafe: RegExp): string {
  const plain = name.replace(unsafe, '*');
  return `\`${plain.length <= MAX_NAME ? plain : `${plain.slice(0, MAX_NAME - 1)}…`}\``;
}

function shown(all: readonly string[], show: (one: string) => string): string {
  const first = all.slice(0, MAX_SHOWN).map(show).join(', ');
  return all.length <= MAX_SHOWN ? first : `${first} and ${all.length - MAX_SHOWN} more`;
}
