import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { loadConfig } from '../../../src/config/config.ts';
import { ConfigError } from '@docent/base/config-error';

const TOKEN = 'correct-horse-battery-staple-0123456789';

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(env);
  } catch (err) {
    if (err instanceof ConfigError) return err.problems;
    throw err;
  }
  return [];
}

test('without settings, everything has its documented default', () => {
  const config = loadConfig({});
  expect(config).toMatchObject({
    host: '127.0.0.1',
    port: 4000,
    model: undefined,
    jobsPerHour: 100,
    searchAttributes: true,
  });
  expect(config.databaseUrl).toBeUndefined();
});

test('settings are read into the values that they mean', () => {
  const config = loadConfig({
    DOCENT_PORT: ' 8080 ',
    DOCENT_PUBLIC_URL: 'https://docs.example.com/agent/',
    DOCENT_TRUSTED_PROXIES: '10.0.0.0/8, 2001:db8::1',
    DOCENT_SEARCH_ATTRIBUTES: 'off',
    DOCENT_ARCHIVE_AFTER_DAYS: '7',
    DOCENT_TURN_MINUTES: '5',
    DOCENT_COMMIT_AUTHOR: 'Docs Bot <docs@example.com>',
    DOCENT_MODEL: '',
  });
  expect(config).toMatchObject({
    port: 8080,
    publicUrl: 'https://docs.example.com/agent',
    trustedProxies: ['10.0.0.0/8', '2001:db8::1'],
    searchAttributes: false,
    commitAuthor: { name: 'Docs Bot', email: 'docs@example.com' },
    model: undefined,
    limits: { idleMs: 7 * 86_400_000, activityMs: 300_000 },
  });
});

test('reports all problems together, with name and value of each setting', () => {
  const problems = problemsOf({
    DOCENT_PORT: '65536',
    DOCENT_TURN_STEPS: '1e3',
    DOCENT_SEARCH_ATTRIBUTES: 'false',
    DOCENT_PUBLIC_URL: 'javascript:alert(1)',
    DOCENT_TRUSTED_PROXIES: '10.0.0.0/33',
    DOCENT_HOME: 'relative',
  });
  expect(problems).toHaveLength(6);
  expect(problems).toContain('DOCENT_PORT must be a whole number from 0 to 65535, and it is "65536".');
  expect(problems).toContain('DOCENT_SEARCH_ATTRIBUTES must be "on" or "off", and it is "false".');
});

test.each(['0x7f.0.0.1', '010.0.0.1', '10', '10.0/16'])(
  'a trusted proxy that programs read in several ways is refused when Docent starts: %s',
  (value) => {
    expect(problemsOf({ DOCENT_TRUSTED_PROXIES: value })).toHaveLength(1);
  },
);

test.each(['true', '1', 'yes', 'ON', 'on '.repeat(2)])(
  'a switch takes on and off, and never guesses what %j means',
  (value) => {
    expect(problemsOf({ DOCENT_SEARCH_ATTRIBUTES: value })).toHaveLength(1);
  },
);

test.each([
  ['hex', '0123456789abcdef'.repeat(4)],
  ['hex in capitals', '0123456789ABCDEF'.repeat(4)],
  ['base64', Buffer.alloc(32, 251).toString('base64')],
  ['base64url', Buffer.alloc(32, 251).toString('base64url')],
])('DOCENT_SECRET_KEY takes 32 bytes in %s', (_form, key) => {
  expect(loadConfig({ DOCENT_SECRET_KEY: key }).secretKeys).toHaveLength(1);
  expect(loadConfig({ DOCENT_SECRET_KEY: `${key},${key}` }).secretKeys).toHaveLength(2);
});

test.each(['0123456789abcdef'.repeat(2), 'correct horse battery staple', Buffer.alloc(31).toString('base64')])(
  'DOCENT_SECRET_KEY refuses what is not 32 bytes: %s',
  (key) => {
    const [problem] = problemsOf({ DOCENT_SECRET_KEY: key });
    expect(problem).toMatch(/^DOCENT_SECRET_KEY must be 32 bytes in hex or base64/);
    expect(problem).not.toContain(key);
  },
);

test('a secret that is wrong does not show in the error', () => {
  const [problem, ...others] = problemsOf({ DATABASE_URL: 'mysql://root:hunter2@db/docent' });
  expect(problem).toBe('DATABASE_URL must be a postgresql:// connection string.');
  expect(others).toEqual([]);
  expect(problemsOf({ DOCENT_OPERATOR_TOKEN: 'hunter2' }).join()).not.toContain('hunter2');
  expect(problemsOf({ DOCENT_SMTP_URL: 'https://root:hunter2@mail' })).toEqual([
    'DOCENT_SMTP_URL must be an smtp:// or smtps:// address, such as smtp://user:password@mail.example.com:587.',
  ]);
});

test('printing the settings in any way shows no secret', () => {
  const config = loadConfig({ DATABASE_URL: 'postgresql://docent:hunter2@db/docent', DOCENT_OPERATOR_TOKEN: TOKEN });
  const printed = [
    inspect(config, { depth: 9 }),
    JSON.stringify(config),
    `${String(config.databaseUrl)} ${config.operatorToken}`,
  ];
  expect(printed.join()).not.toMatch(/hunter2|correct-horse/);
  expect(config.databaseUrl?.reveal()).toContain('hunter2');
  expect(config.operatorToken?.reveal()).toBe(TOKEN);
});

test('no one changes the settings later', () => {
  const config = loadConfig({});
  expect(() => Object.assign(config, { port: 1 })).toThrow(TypeError);
  expect(() => Object.assign(config.limits, { steps: 1 })).toThrow(TypeError);
});

test('misspelt settings are named', () => {
  expect(loadConfig({ DOCENT_PROT: '1', DOCENT_URL: 'http://x', DOCENT_TEST_X: '1', PATH: '/bin' }).unknown).toEqual([
    'DOCENT_PROT',
  ]);
});

test('a key that no header can carry is refused without being shown; what copying added to a good one is not', () => {
  const config = loadConfig({ ANTHROPIC_API_KEY: '\ufeff sk-ant-1\u200b', OPENAI_API_KEY: '\u200bsk-2\n' });
  expect([config.anthropicApiKey?.reveal(), config.openaiApiKey?.reveal()]).toEqual(['sk-ant-1', 'sk-2']);
  for (const name of ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'OPENAI_COMPATIBLE_API_KEY']) {
    for (const key of ['sk-\u200b1', 'ключ', 'sk\n1']) {
      expect(problemsOf({ [name]: key })).toEqual([
        expect.stringMatching(new RegExp(`^${name} must be printable ASCII`)),
      ]);
      expect(problemsOf({ [name]: key }).join()).not.toContain(key);
    }
  }
});
