import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readEnvironment, readTemporalKey } from '../../../src/roles/environment.ts';
import { watchTemporalKey } from '../../../src/roles/temporal-key.ts';
import { createLogger } from '../../../src/platform/log.ts';

const log = createLogger({ level: 'silent', name: 'test' });
const refused = () => Promise.reject(Object.assign(new Error('Request unauthorized.'), { code: 7 }));
const away = () => Promise.reject(Object.assign(new Error('No connection established'), { code: 14 }));

test('ends a worker whose key Temporal refuses repeatedly', async () => {
  const watch = watchTemporalKey({ read: () => 'old', use: async () => {}, ask: refused, log, everyMs: 1 });
  await expect(watch.refused).rejects.toThrow(/rejects the API key/);
});

test('uses a key that was replaced, and outlasts a Temporal that is away', async () => {
  let [key, asked] = ['old', 0];
  const used = vi.fn<(key: string) => Promise<void>>(async () => {});
  const again = Promise.withResolvers<void>();
  const ask = () => {
    asked += 1;
    if (asked === 2) key = 'new';
    if (asked === 20) again.resolve();
    if (asked > 4) return away();
    return used.mock.calls.length > 0 ? Promise.resolve() : refused();
  };
  const watch = watchTemporalKey({ read: () => key, use: used, ask, log, everyMs: 1, refusals: 3 });
  await Promise.race([again.promise, watch.refused]);
  watch.stop();
  expect(used.mock.calls).toEqual([['new']]);
});

test.each(['TEMPORAL_API_KEY_FILE', 'TEMPORAL_CONFIG_FILE'])('reads the key again from where %s says', (name) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'docent-key-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'file');
  const write = (key: string) =>
    writeFileSync(
      file,
      name === 'TEMPORAL_API_KEY_FILE' ? `${key}\n` : `[profile.default]\naddress = "t:7233"\napi_key = "${key}"\n`,
    );
  write('first');
  const env = { TEMPORAL_ADDRESS: 't:7233', [name]: file };
  expect(readEnvironment(env).temporal?.apiKey).toBe('first');
  write('second');
  expect(readTemporalKey(env)).toBe('second');
});
