import { describe, expect, test } from 'vitest';
import { createBuiltinModel } from '@docent/agent/builtin/builtin';
import { consequencesOf } from '@docent/agent/builtin/progress';
import { runToolCalls, TOOL_DEFINITIONS } from '@docent/agent/tools/tool-set';
import type { TranscriptEntry } from '@docent/models/conversation/transcript';
import { memoryBaseTree } from '@docent/base/files/memory-base-tree';
import { Workspace } from '@docent/git/workspace';
import { mintlify, Site, wordless } from '../../support/fixture-site.ts';

const model = createBuiltinModel();
const ask = (transcript: TranscriptEntry[]) =>
  model.respond({ system: '', transcript, tools: TOOL_DEFINITIONS }, { signal: AbortSignal.timeout(30_000) });

describe('the built-in editor, from turn to turn', () => {
  test('gives the same transcript the same answer, call ids included', async () => {
    const transcript: TranscriptEntry[] = [
      { role: 'user', no: 7, text: 'Replace "Acme" with "Globex"; fix broken links; add a page titled "A" at p' },
    ];
    const [first, second] = [
      await ask(transcript),
      await createBuiltinModel().respond({ system: '', transcript, tools: [] }, { signal: AbortSignal.timeout(9_000) }),
    ];
    expect(second).toEqual(first);
    expect(first.toolCalls.map(({ id, name }) => `${id} ${name}`)).toEqual(['m7.1.1 edit', 'm7.2.1 check']);
  });

  test('puts what does not wait for an answer into one step, and keeps the order', async () => {
    const site = mintlify();
    const many = Array.from({ length: 30 }, (_, i) => `Append a section "Part ${i}" to installation: text ${i}`);
    const { steps } = await site.say(many.join('\n'));
    expect(steps).toBe(2);
    expect([...site.text('installation.mdx')!.matchAll(/## Part (\d+)/g)].map(([, n]) => Number(n))).toEqual(
      many.map((_, i) => i),
    );
  });

  test.each([
    'Replace "Acme" with "Globex" in nowhere.mdx, index.mdx',
    'Replace "acme" with "globex"',
    'Fix broken links',
    'Add a page titled "Teams" at guides/teams in group "Guides": Who does what.',
    'Append a section "FAQ" to quickstart: {a}',
    'Change the title of page installation to "Set-up"',
    'Rename page concepts/projects to concepts/workspaces',
    'Move folder guides to how-to',
    'Delete page concepts/projects',
    'Delete page nowhere',
  ])('goes by what calls came to, not by the words that tell it: %s', async (message) => {
    const [one, other] = [mintlify(), mintlify()];
    const said = (): TranscriptEntry[] => [{ role: 'user', no: 1, text: message }];
    const [withWords, without] = [said(), said()];
    await one.turn(withWords, model);
    await other.turn(without, wordless(model));
    expect(without).toEqual(withWords);
    expect(other.diff()).toBe(one.diff());
  });

  test('names a page by its path, whatever that holds', async () => {
    const site = mintlify({ 'notes/how to do: it.mdx': '# How\n' });
    const { text } = await site.say('Move page `notes/how to do: it.mdx` to `notes/what to do.mdx`');
    expect(text.split('\n')[0]).toBe('Moved notes/how to do: it.mdx to notes/what to do.mdx');
  });

  test('says of a page that is gone already that it is, and nothing else', async () => {
    const site = mintlify();
    site.call('delete', { path: 'guides/deploy/docker.mdx', unlink: true });
    const { text } = await site.say('Delete page guides/deploy/docker.mdx');
    expect(text).toBe('Deleted guides/deploy/docker.mdx');
  });

  test('counts all that is left to a person, however little of it is shown', () => {
    const first = Array.from({ length: 20 }, (_, i) => `nav.ts:${i} lists "/a"`);
    const told = consequencesOf({ notes: ['2 links updated', 'redirect added'], toDo: { first, count: 30 } });
    expect(told[0]).toBe('2 links updated, redirect added.');
    expect(told.slice(-2)).toEqual(['To do: nav.ts:9 lists "/a".', 'To do: 20 more of the kind.']);
  });

  test('does not say that nothing was changed of one file among others that were', async () => {
    const site = mintlify();
    const { text } = await site.say('Replace "Acme" with "Globex" in index.mdx, nowhere.mdx');
    expect(site.changed()).toContain('index.mdx');
    expect(text).toContain('There is no file nowhere.mdx.');
    expect(text).not.toContain('Nothing was changed');
  });

  test('carries out ten messages that come while it works, each once and in order', async () => {
    const site = mintlify();
    const transcript: TranscriptEntry[] = [];
    for (let no = 1; no <= 10; no++) {
      transcript.push({ role: 'user', no, text: `Append a section "Message ${no}" to installation: done` });
      const answer = await ask(transcript);
      transcript.push({ role: 'assistant', text: answer.text, toolCalls: answer.toolCalls });
      const context = { base: site.base, policy: site.policy, cache: site.cache };
      transcript.push({ role: 'tool', results: runToolCalls(site.workspace, answer.toolCalls, context) });
    }
    const { text } = await site.turn(transcript);
    expect(text.split('\n')[0]).toBe('Added a section “Message 1” to installation.mdx and 9 more changes');
    expect([...site.text('installation.mdx')!.matchAll(/## Message (\d+)/g)].map(([, n]) => Number(n))).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
    ]);
  });

  test('does not repeat in a later turn what an earlier one did, and sums up only the later one', async () => {
    const site = mintlify();
    const { text, transcript } = await site.say(
      'Append a section "A" to quickstart: a',
      'Append a section "B" to quickstart: b',
    );
    expect(text).toBe('Added a section “B” to quickstart.mdx');
    expect(site.text('quickstart.mdx')).toMatch(/## A\n\na\n\n## B\n\nb\n$/);
    expect((await ask(transcript)).toolCalls).toEqual([]);
  });

  test('carries out again what a conflict took away, on the new text, and nothing else', async () => {
    const site = mintlify();
    const said = await site.say(
      'Replace "Acme" with "Globex"; append a section "FAQ" to quickstart: None.\nRename page concepts/projects to concepts/workspaces',
    );
    const theirs =
      '---\ntitle: "Welcome to Acme"\n---\n\nAcme, rewritten by a colleague. See [projects](/concepts/projects).\n';
    const nav = site.base.readText('docs.json')!.replace('"index", ', '"index", "team", ');
    const next = onNewBase(site, { 'index.mdx': theirs, 'docs.json': nav, 'team.mdx': '---\ntitle: Team\n---\n' }, [
      'index.mdx',
      'docs.json',
    ]);
    said.transcript.push({
      role: 'notice',
      kind: 'conflict',
      paths: ['index.mdx', 'docs.json'],
      text: 'Others changed these.',
    });
    const { text } = await next.turn(said.transcript);
    expect(next.text('index.mdx')).toBe(
      theirs.replaceAll('Acme', 'Globex').replace('/concepts/projects', '/concepts/workspaces'),
    );
    expect(next.text('docs.json')).toContain('"index", "team", "quickstart"');
    expect(next.text('docs.json')).toContain('"concepts/workspaces"');
    expect(next.text('docs.json')).toContain('"name": "Globex Docs"');
    expect(next.text('docs.json')!.match(/"source": "\/concepts\/projects"/g)).toHaveLength(1);
    expect(next.text('quickstart.mdx')!.match(/## FAQ/g)).toHaveLength(1);
    expect(text).toContain(
      'Others had changed some of the same files; the changes were made again on docs.json, index.mdx.',
    );
    expect(next.introduced()).toEqual([]);
  });

  test('continues after a failed turn on request, with the dropped messages', async () => {
    const site = mintlify();
    const said = await site.say('Append a section "FAQ" to quickstart: None.');
    const next = onNewBase(site, { 'quickstart.mdx': '# New\n' }, ['quickstart.mdx']);
    said.transcript.push({ role: 'notice', kind: 'conflict', paths: ['quickstart.mdx'], text: 'dropped' });
    said.transcript.push({ role: 'user', no: 2, text: 'Please try again.' });
    const { text } = await next.turn(said.transcript);
    expect(next.text('quickstart.mdx')).toBe('# New\n\n## FAQ\n\nNone.\n');
    expect(text).toMatch(
      /^Added a section “FAQ” to quickstart\.mdx\n[^]*the changes were made again on quickstart\.mdx\.$/,
    );
  });

  test('leaves undone what was cancelled', async () => {
    const site = mintlify();
    const transcript: TranscriptEntry[] = [
      { role: 'user', no: 1, text: 'Delete page quickstart' },
      { role: 'notice', kind: 'cancelled', text: 'The previous turn was cancelled' },
      { role: 'user', no: 2, text: 'Append a section "FAQ" to installation: None.' },
    ];
    await site.turn(transcript);
    expect(site.changed()).toEqual(['installation.mdx']);
  });

  test('tries once to fix what its own change broke, then says what is left', async () => {
    const site = mintlify({ 'cards.mdx': '<Card title="P" href="/concepts/projects">x</Card>\n' });
    const { text, transcript } = await site.say('Delete page concepts/projects');
    expect(text).toContain('The docs checks still find:\n- cards.mdx:1 missing-page');
    expect(text).toContain('Still linked from cards.mdx:1');
    expect(
      transcript.filter((entry) => entry.role === 'assistant' && entry.toolCalls.some(({ name }) => name === 'check')),
    ).toHaveLength(1);
  });

  test('stops when it is asked to', async () => {
    const request = { system: '', transcript: [], tools: [] };
    await expect(model.respond(request, { signal: AbortSignal.abort() })).rejects.toThrow();
  });
});

/** The site after others pushed: their files under the same changes, but for those that were dropped. */
function onNewBase(site: Site, theirs: Record<string, string>, dropped: string[]): Site {
  const files = Object.fromEntries(
    site.base.files().map(({ path }) => [path, site.base.readText(path) ?? new Uint8Array([0])]),
  );
  const next = new Site({ ...files, ...theirs }, site.policy);
  const overlay = site.workspace.changes().filter(({ path }) => !dropped.includes(path));
  return Object.assign(next, {
    workspace: new Workspace(memoryBaseTree({ ...files, ...theirs }), overlay, site.policy),
  });
}

test.each([
  'Update the reference of `createUser` from the source',
  'Update the reference of "createUser" from the source code.',
  'Write the page guides/limits from our code',
  'Document `ZodString` as the code has it',
  'Bring guides/limits in line with the implementation',
  'Check the docs against the code',
  'Update the docs of `timeout` based on src/config.ts',
])('names the setting of a model where docs are to be written from code: %s', async (message) => {
  const site = mintlify();
  const { text, outcome } = await site.say(message);
  expect(text).toContain('The built-in editor reads no source code');
  expect(text).toContain('Set one with the project setting `model`');
  expect(outcome).toBe('refused');
  expect(site.changed()).toEqual([]);
});
