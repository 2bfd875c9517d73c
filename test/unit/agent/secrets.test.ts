import { describe, expect, test } from 'vitest';
import { findSecrets, secretId, withoutSecrets } from '@docent/find-secrets/find-secrets';
import { awsKey, safeExamples, fakeSecrets, privateKey } from '../../support/fake-secrets.ts';
import { processorClock } from '../../support/processor-time.ts';

describe('a secret in a text', () => {
  test.each(Object.entries(fakeSecrets()))('is found: %s', async (_kind, secret) => {
    for (const text of [`# T\n\n\`\`\`bash\n${secret}\n\`\`\`\n`, `key: "${secret}"\n`, `<Code>${secret}</Code>\n`]) {
      const found = await findSecrets(text);
      expect(found, text).toHaveLength(1);
      expect(await findSecrets(text)).toEqual(found);
      expect(JSON.stringify(found)).not.toContain(secret.slice(-16));
      expect(await findSecrets(withoutSecrets(text, found))).toEqual([]);
    }
  });

  test.each(Object.entries(safeExamples()))('is not %s', async (_kind, example) => {
    for (const text of [`\`\`\`bash\n${example}\n\`\`\`\n`, `key: "${example}"\n`])
      expect(await findSecrets(text)).toEqual([]);
  });

  test.each(['todo', 'YouR', 'fAKe', 'XxxX'])('is found, with %s among its random letters', async (letters) => {
    const key = fakeSecrets()['Azure storage key']!;
    const [before, after] = [key.slice(0, 60), key.slice(60 + letters.length)];
    expect(await findSecrets(`${before}${letters}${after}`)).toHaveLength(1);
    const token = key.slice(40, 72).replaceAll(/[+/]/g, 'k');
    expect(await findSecrets(`ghp_${token}${token.slice(0, 4)}`), token).toHaveLength(1);
    expect(await findSecrets(`ghp_${letters}${token}`), token).toEqual([]);
  });

  test('has its line and an id that a person can make', async () => {
    const key = awsKey();
    expect(await findSecrets(`a\nb\n\nkey: ${key}\n`)).toMatchObject([{ kind: 'AWS key', line: 4, id: secretId(key) }]);
  });

  test('is found although the page says that it is not to be looked for', async () => {
    const key = awsKey();
    const comments = ['secretlint-disable', 'secretlint-disable-line', 'gitleaks:allow', 'pragma: allowlist secret'];
    for (const comment of comments) {
      expect(await findSecrets(`<!-- secretlint-disable -->\n${key} # ${comment}\n`), comment).toHaveLength(1);
    }
  });

  test('leaves nothing of itself if it is cut out, and everything else', async () => {
    const [key, pem] = [awsKey(), privateKey()];
    const text = `one ${key} two\n${pem}three ${key}.`;
    expect(withoutSecrets(text, await findSecrets(text))).toBe('one [secret] two\n[secret]\nthree [secret].');
  });

  test.each(
    [
      '-----BEGIN PRIVATE KEY-----\n',
      '-----BEGIN PRIVATE KEY',
      'https://a:b@',
      'a:',
      'postgres://a',
      'xoxb-a-',
      'ghs_1_a.',
      'eyJa.eyJ',
      'secretlint-disable ',
      'aws_secret_access_key = ',
      'AccountKey=',
      '_authToken=',
      'A',
      '\n',
      ' ',
      'sk-',
      '"private_key": "',
      'a.',
      `-----BEGIN PRIVATE KEY-----\nMII${'A\n'.repeat(9_000)}`,
      `ops_ey${'A'.repeat(1_500)}`,
      `https://${'a'.repeat(300)}`,
    ].map((piece) => ({ piece, start: JSON.stringify(piece.slice(0, 40)) })),
  )('is looked for in little time in a long text of $start', async ({ piece }) => {
    const text = piece.repeat(Math.ceil(250_000 / piece.length));
    await findSecrets('');
    const taken = processorClock();
    await findSecrets(text);
    expect(taken()).toBeLessThan(2_000);
  });

  test('keeps no trace of each text in the process', async () => {
    const before = performance.getEntries().length;
    for (let i = 0; i < 20; i++) await findSecrets(`text ${i}`);
    expect(performance.getEntries().length - before).toBeLessThan(5);
  });
});
