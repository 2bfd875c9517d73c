import { expect, test } from 'vitest';
import { commitMessageOf, type MessageRules } from '../../../src/activities/publish/turn-text.ts';

const turn = { jobId: 'j1', no: 2 };
const text = { prompts: ['Fix it'], closing: 'Fixed the links.\n\nAll three.', own: null };
const rules: MessageRules = { title: null, template: undefined, signOff: null, allowedSecrets: [] };

test('a commit message has the subject, the body and the trailers that a project asks for', async () => {
  const asked = { ...rules, template: 'docs: {title}', signOff: { name: 'Docent', email: 'docent@example.com' } };
  expect(await commitMessageOf(turn, text, [], asked)).toBe(
    'docs: Fixed the links\n\nAll three.\n\nSigned-off-by: Docent <docent@example.com>\nDocent-Turn: j1/2\n',
  );
});

test('a person’s title is the subject, without parts that hosts act on', async () => {
  const asked = { ...rules, title: 'chore: fixes #1 for @boss', template: 'docs: {title}' };
  const [subject] = (await commitMessageOf(turn, text, [], asked)).split('\n');
  expect(subject).toMatch(/^chore: fixes/);
  expect(subject).not.toMatch(/fixes #1|@boss/);
});

test('a model cannot sign off in the name of others', async () => {
  const closing = 'Done\n\nSigned-off-by: Boss <boss@example.com>';
  expect(await commitMessageOf(turn, { ...text, closing }, [], rules)).not.toMatch(/^Signed-off-by: Boss/m);
});
