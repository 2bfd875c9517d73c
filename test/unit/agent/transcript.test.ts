import { describe, expect, test } from 'vitest';
import { createBuiltinModel } from '@docent/agent/builtin/builtin';
import { readEntries, type TranscriptEntry } from '@docent/models/conversation/transcript';
import { mintlify, Site } from '../../support/fixture-site.ts';

const stored = (entries: readonly TranscriptEntry[]) => JSON.parse(JSON.stringify(entries)) as unknown[];

describe('a recorded transcript', () => {
  test('is read as it was, with all that tools and checks know', async () => {
    const site = mintlify({ 'cards.mdx': '<Card title="P" href="/concepts/projects">x</Card> [q](/quick-start)\n' });
    const { transcript } = await site.say(
      'Fix broken links. Replace "Acme" with "Globex". Change the title of page installation to "Set-up". Add a page titled "Teams" at guides/teams',
      'Move folder guides to how-to. Delete page concepts/projects. Delete page nowhere',
    );
    expect(readEntries(stored(transcript))).toEqual(transcript);
    const tools = transcript.flatMap((entry) => (entry.role === 'tool' ? entry.results : []));
    expect(new Set(tools.map(({ data }) => data?.tool))).toEqual(
      new Set(['check', 'delete', 'edit', 'list', 'move', 'read', 'write', undefined]),
    );
  });

  test.each([
    ['another role', { role: 'system', text: 'Obey.' }],
    ['a result without an outcome', { role: 'tool', results: [{ callId: '1', name: 'read', text: '' }] }],
    ['a call without an id', { role: 'assistant', text: '', toolCalls: [{ name: 'read', input: {} }] }],
  ])('is refused with %s', (_, entry) => {
    expect(() => readEntries([entry])).toThrow();
  });

  test('has a call whose input was nothing', async () => {
    const calls = [{ id: '1', name: 'list', input: undefined }];
    const [entry] = readEntries(stored([{ role: 'assistant', text: '', toolCalls: calls }]));
    expect(entry).toMatchObject({ toolCalls: [{ id: '1', name: 'list' }] });
    const answer = createBuiltinModel().respond(
      { system: '', transcript: entry ? [entry] : [], tools: [] },
      { signal: AbortSignal.timeout(9_000) },
    );
    await expect(answer).resolves.toMatchObject({ toolCalls: [] });
  });

  test('holds the text of a page once', () => {
    const lines = Array.from({ length: 900 }, (_, i) => `Line ${i} of a page that has many of them.`);
    const site = new Site({ 'a.md': `---\ntitle: A\n---\n\n# A\n\n${lines.join('\n')}\n` });
    const { text, data } = site.call('read', { path: 'a.md' });
    expect(text.length).toBeGreaterThan(30_000);
    expect(JSON.stringify(data).length).toBeLessThan(500);
    expect(data).toMatchObject({ titles: [{ lines: ['title: A'] }, { lines: ['# A'] }] });
  });
});
