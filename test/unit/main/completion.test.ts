import { expect, test, vi } from 'vitest';
import { wantedAfter } from '@docent/cli/completion/candidates';
import { readRequest } from '@docent/recipes/read-request';
import { RECIPES } from '@docent/recipes/recipes';
import { WEBHOOK_EVENTS } from '@docent/client';
import { createProgram } from '../../../src/cli/program.ts';

const program = await createProgram();
const wanted = (...words: string[]) => wantedAfter(program, words);
const values = (...words: string[]) => wanted(...words).candidates.map(({ value }) => value);

test('offers commands where a command may be, except those that are only for scripts', () => {
  expect(values('')).toEqual(expect.arrayContaining(['start', 'job', 'status', 'login']));
  expect(values('')).not.toContain('complete');
  expect(values('job', '')).toEqual(expect.arrayContaining(['run', 'watch', 'cancel']));
  expect(values('job', 'watch', 'x', '')).toEqual([]);
});

test('options are offered once a dash is typed, each one once, and not after --', () => {
  expect(values('job', 'run', '-')).toEqual(expect.arrayContaining(['--no-wait', '--project', '--help']));
  expect(values('job', 'run', '--json', '-')).not.toContain('--json');
  expect(values('job', 'run', '--', '-')).toEqual([]);
});

test('completes ids from the server and project in the command line', () => {
  expect(wanted('job', 'watch', '')).toMatchObject({ ids: 'jobs', given: {} });
  expect(wanted('pr', 'merge', '--project', 'acme', '--context=work', 'x')).toMatchObject({
    ids: 'jobs',
    partial: 'x',
    given: { project: 'acme', context: 'work' },
  });
  expect(wanted('job', 'run', '--project', 'a')).toMatchObject({ ids: 'projects', partial: 'a', prefix: '' });
  expect(wanted('job', 'run', '--project=a')).toMatchObject({ ids: 'projects', partial: 'a', prefix: '--project=' });
  expect(wanted('key', 'revoke', '').ids).toBe('keys');
  for (const command of ['show', 'test', 'enable', 'deliveries', 'remove'])
    expect(wanted('webhook', command, '').ids).toBe('webhooks');
  expect(wanted('automation', 'trigger', '').ids).toBe('automations');
  expect(wanted('job', 'list', '--automation', '').ids).toBe('automations');
  for (const command of ['set', 'remove']) expect(wanted('secret', command, '').ids).toBe('secrets');
  expect(wanted('automation', 'update', 'a', '--webhook-secret-name', '').ids).toBe('secrets');
  expect(wanted('context', 'use', '').ids).toBe('contexts');
  expect(wanted('logout', '').ids).toBe('contexts');
  // What is new has no id yet, and a prompt is none.
  expect(wanted('project', 'create', '').ids).toBeNull();
  expect(wanted('automation', 'create', '').ids).toBeNull();
  expect(wanted('host', 'add', '').ids).toBeNull();
  expect(wanted('webhook', 'add', '').ids).toBeNull();
  expect(wanted('job', 'run', '').ids).toBeNull();
});

test('the events that a webhook can subscribe to are offered', () => {
  for (const line of [
    ['webhook', 'add', 'https://example.com/', '--event', ''],
    ['job', 'run', 'x', '--webhook-event', ''],
  ])
    expect(values(...line)).toEqual([...WEBHOOK_EVENTS]);
});

test('files are offered where files are meant', () => {
  for (const words of [
    ['secret', 'set', 'chat', '--value', ''],
    ['analytics', 'import', ''],
    ['analytics', 'import', 'a', ''],
    ['check', ''],
    ['start', '--home', ''],
    ['automation', 'trigger', 'x', '--about-file', ''],
  ])
    expect(wanted(...words).files).toBe(true);
  expect(wanted('job', 'watch', '').files).toBe(false);
});

test('`docent job recipes` lists every recipe, with an example that is understood, and asks no server', async () => {
  const written: string[] = [];
  const stdout = vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  await program.parseAsync(['job', 'recipes', '--json'], { from: 'user' });
  await program.parseAsync(['job', 'recipes'], { from: 'user' });
  stdout.mockRestore();
  const [json = '', text = ''] = written;
  const listed = JSON.parse(json) as { id: string; title: string; example: string }[];
  expect(listed.map(({ id }) => id)).toEqual(RECIPES.map(({ id }) => id));
  for (const { title, example } of listed) {
    expect(readRequest(example)).toMatchObject({ notUnderstood: [] });
    expect(text).toContain(title);
    expect(text).toContain(example);
  }
});
