import { expect, test } from 'vitest';
import { concealInLogs, redact } from '../../../src/platform/log.ts';

test('a credential that a stranger repeats is cut out, whatever it looks like', () => {
  concealInLogs('0123456789abcdef0123');
  concealInLogs('-----BEGIN KEY-----\nMIIBPQIBAAJB\n-----END KEY-----\n');
  expect(redact('You sent 0123456789abcdef0123!')).toBe('You sent [redacted]!');
  expect(redact('line MIIBPQIBAAJB of it')).toBe('line [redacted] of it');
  expect(redact('tokens github_pat_11ABCDEFG0123456789_abcdefghij and glpat-ABCdef0123456789xyzw')).toBe(
    'tokens [token] and [token]',
  );
});

test('thousands of short-lived credentials do not pile up, and the newest stay hidden', () => {
  for (let at = 0; at < 5_000; at += 1) concealInLogs(`short-lived-${at}-credential`);
  expect(redact('short-lived-0-credential')).toBe('short-lived-0-credential');
  expect(redact('short-lived-4999-credential')).toBe('[redacted]');
});
