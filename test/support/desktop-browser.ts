import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * What is opened on the desktop goes to a shell script, which has the address as `$1`.
 * @param folder of the test
 * @returns variables of the program that opens it
 */
export async function desktopBrowser(folder: string, script: string): Promise<{ BROWSER: string; PATH: string }> {
  const [browser, programs] = [path.join(folder, 'browser'), path.join(folder, 'desktop-programs')];
  await writeFile(browser, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  // Which of the two is asked depends on how the program was built.
  await mkdir(programs, { recursive: true });
  await copyFile(browser, path.join(programs, 'xdg-open'));
  return { BROWSER: browser, PATH: `${programs}:${process.env.PATH}` };
}
