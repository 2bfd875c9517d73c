import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApi, type TestApi } from '../support/api-server.ts';
import { commandEnv } from '../support/command.ts';
import { png } from '../support/images.ts';
import { runInside } from '../support/run-inside.ts';

let api: TestApi;
let project: string;
let folder: string;

beforeAll(async () => {
  api = await startTestApi();
  project = await api.addProject();
  folder = mkdtempSync(path.join(tmpdir(), 'docent-attach-'));
});
afterAll(async () => {
  await api.close();
  rmSync(folder, { recursive: true });
});

const docent = (...args: string[]) =>
  runInside(
    [...args, '--project', project],
    commandEnv(folder, { DOCENT_URL: api.url, DOCENT_OPERATOR_TOKEN: api.operatorToken }),
  );

test('a file is uploaded, listed, saved again byte for byte, and removed', async () => {
  const file = path.join(folder, 'shot one.png');
  const content = png(30, 20, 900_000);
  writeFileSync(file, content);
  const uploaded = await docent('attachment', 'upload', file, '--json');
  const [{ id, name }] = JSON.parse(uploaded.stdout);
  expect(name).toBe('shot one.png');
  expect((await docent('attachment', 'list')).stdout).toContain(id);
  const saved = path.join(folder, 'saved.png');
  const shown = await docent('attachment', 'show', id, '--output', saved);
  expect(shown.stdout).toMatch(/pixels\s+30 × 20/);
  expect(readFileSync(saved).equals(content)).toBe(true);
  const again = await docent('attachment', 'show', id, '--output', saved);
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('could not be written')]);
  // No one is there to be asked.
  expect(await docent('attachment', 'delete', id)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Pass --yes'),
  });
  expect((await docent('attachment', 'delete', id, '--yes')).code).toBe(0);
  expect((await docent('attachment', 'show', id)).stderr).toContain('does not exist in this project');
});

test('files are sent with a job and a message; an unreadable one prevents both', async () => {
  const file = path.join(folder, 'notes.md');
  writeFileSync(file, '# Notes\n');
  const job = JSON.parse((await docent('job', 'run', 'Look', '--attach', file, '--no-wait', '--json')).stdout);
  expect(job.attachments).toHaveLength(1);
  expect(
    (await docent('job', 'message', job.id, 'And this', '--attach', file, '--attach', file, '--no-wait')).code,
  ).toBe(0);
  const words = (await docent('job', 'messages', job.id)).stdout;
  expect(words).toMatch(/^1 {2}user, waiting, [\s\S]*Look\n {3}Attached: notes\.md[\s\S]*^2 {2}user, waiting/m);
  expect(words.match(/Attached: notes\.md/g)).toHaveLength(3);
  const refused = await docent('job', 'run', 'Look', '--attach', path.join(folder, 'nothing.png'), '--no-wait');
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('nothing.png cannot be read')]);
});
