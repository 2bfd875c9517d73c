import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

interface PackageFacts {
  name: string;
  version: string;
  license?: string | { type: string };
}

/** Those that say it elsewhere. */
const ELSEWHERE: Readonly<Record<string, string>> = { 'format 0.2.2': 'MIT' };
const LICENSE_FILE = /^(?:licen[cs]e|copying|notice)(?:[-.].*)?$/i;

/**
 * The notices that licenses of bundled packages require: their names, and the texts of their licenses. @param
 * folders of the packages; several may have the same package @throws Error for a package without a license
 */
export async function thirdPartyNotice(folders: readonly string[]): Promise<string> {
  const parts = new Map<string, string>();
  for (const folder of folders) {
    const { name, version, license } = JSON.parse(
      await readFile(path.join(folder, 'package.json'), 'utf8'),
    ) as PackageFacts;
    const kind = (typeof license === 'object' ? license.type : license) ?? ELSEWHERE[`${name} ${version}`];
    const words = await licenseText(folder);
    if (!kind && words === '') throw new Error(`${name} ${version} says nothing of its license.`);
    parts.set(`${name} ${version}`, `${name} ${version} (${kind ?? 'see below'})\n\n${words.trim()}`);
  }
  const rule = `\n\n${'-'.repeat(80)}\n\n`;
  const sorted = [...parts].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
  return `Docent contains code of these packages, each under its own license.${rule}${sorted.join(rule)}\n`;
}

async function licenseText(folder: string): Promise<string> {
  const names = (await readdir(folder, { withFileTypes: true })).filter(
    (entry) => entry.isFile() && LICENSE_FILE.test(entry.name),
  );
  const texts = await Promise.all(
    names
      .map(({ name }) => name)
      .toSorted()
      .map((name) => readFile(path.join(folder, name), 'utf8')),
  );
  return texts.map((text) => text.replaceAll('\r\n', '\n').trim()).join('\n\n');
}
