import { expect, test } from 'vitest';
import { describeStart, type ShownSecret } from '../../../src/start/start-report.ts';

const REPORT = {
  apiUrl: 'http://127.0.0.1:4000',
  temporalAddress: '127.0.0.1:7233',
  temporalUiUrl: null,
  projectId: 'demo',
  pid: 1,
  demoRepository: '/home/demo-docs',
  logFile: '/home/logs/docent.log',
};

const described = (firstKey: ShownSecret, signInLink: ShownSecret) =>
  describeStart({ ...REPORT, firstKey, signInLink }, { isLinked: true, suffix: '' });

test('shows the first key and the sign-in link in full at a terminal', () => {
  const text = described({ text: 'docent_key' }, { text: 'http://127.0.0.1:4000/sign-in#link=x' });
  expect(text).toMatch(/^ +API key +docent_key +\(shown only once\)$/m);
  expect(text).toMatch(/^ +Dashboard +\S+#link=x +\(sign-in link: works once/m);
  expect(text).toContain('"Authorization: Bearer docent_key"');
});

test('names the files of the secrets elsewhere, with a curl that reads the key from its file', () => {
  const text = described({ file: '/home/first-key' }, { file: '/home/sign-in-link' });
  expect(text).toMatch(/^ +API key +in \/home\/first-key /m);
  expect(text).toMatch(/^ +Dashboard +docent dashboard +\(or use the sign-in link in \/home\/sign-in-link: /m);
  expect(text).toContain(`"Authorization: Bearer $(cat '/home/first-key')"`);
});

test('names the commands that create a key and a link if it cannot show them', () => {
  const text = described(null, null);
  expect(text).toMatch(/for a new one: docent key create --project demo /);
  expect(text).toMatch(/^ +Dashboard +docent dashboard$/m);
});
