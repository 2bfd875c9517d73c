import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Dashboard } from '../../src/api/pages/dashboard.ts';
import { startTestApi, type TestApi } from '../support/api-server.ts';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi({ deps: { dashboard: await Dashboard.load() } });
});
afterAll(() => api.close());

/** Without the headers that fetch adds: encodings are as they are sent. */
async function get(address: string, headers: Record<string, string> = {}, base = api.url): Promise<Response> {
  return fetch(new URL(address, base), { headers, redirect: 'manual' });
}

async function scripts(): Promise<string[]> {
  const html = await (await get('/')).text();
  return [...html.matchAll(/(?:src|href)="\.(\/assets\/[^"]+)"/g)].map(([, file = '']) => file);
}

describe('the dashboard', () => {
  test.each(['/', '/sign-in', '/projects', '/projects/acme/jobs/x', '/keys', '/health'])(
    'is at %s, allows nothing that is not its own, and is asked for again each time',
    async (address) => {
      const answer = await get(address);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(answer.headers.get('content-security-policy')).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'self'",
      );
      // Older browsers do not frame it either, and it is not sent to other sites, shared with opener windows,
      // or listed.
      const { headers } = answer;
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(headers.get('x-robots-tag')).toBe('noindex, nofollow');
      expect(headers.get('permissions-policy')).toBe('camera=(), geolocation=(), microphone=()');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('cache-control')).toBe('no-cache');
      const html = await answer.text();
      expect(html).toContain('<base href="/" />');
      expect(html.replaceAll(/<script [^>]*src="[^"]*"[^>]*><\/script>/g, '')).not.toMatch(
        /<script|<style|\sstyle=|\son\w+=/,
      );
      const again = await get(address, { 'If-None-Match': answer.headers.get('etag') ?? '' });
      expect(again.status).toBe(304);
    },
  );

  test('loads parts that are cached forever under content-based names, compressed as the browser accepts', async () => {
    const files = (await scripts()).filter((file) => /-[\w-]{8}\.(?:js|css)$/.test(file));
    expect(files.length).toBeGreaterThanOrEqual(2);
    for (const file of files) {
      const plain = await get(file, { 'Accept-Encoding': 'identity' });
      expect([plain.status, plain.headers.get('content-encoding')]).toEqual([200, null]);
      expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(plain.headers.get('x-content-type-options')).toBe('nosniff');
      const text = await plain.text();
      for (const coding of ['br', 'gzip']) {
        const answer = await get(file, { 'Accept-Encoding': coding });
        expect(answer.headers.get('content-encoding')).toBe(coding);
        expect(answer.headers.get('vary')).toContain('Accept-Encoding');
        // fetch has unpacked it already.
        expect(await answer.text()).toBe(text);
      }
    }
  });

  test('exists nowhere else: not below its folder, with another method, or after removal', async () => {
    for (const address of [
      '/assets/..%2f..%2fpackage.json',
      '/assets/gone-12345678.js',
      '/.built-from',
      '/index.html.br',
      '/elsewhere',
    ]) {
      expect((await get(address)).status, address).toBe(404);
    }
    const posted = await fetch(new URL('/projects', api.url), { method: 'POST' });
    expect(posted.status).toBe(404);
  });

  test('knows the path prefix of a proxy, and escapes it in HTML', async () => {
    const behind = await startTestApi({
      deps: { dashboard: await Dashboard.load(), publicUrl: () => 'https://docs.example.com/a%22b/docent/' },
    });
    const html = await (await get('/', { Host: 'docs.example.com' }, behind.url)).text();
    await behind.close();
    expect(html).toContain('<base href="/a%22b/docent/" />');
  });

  test('that was not built explains how to build it', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'docent-dashboard-'));
    const without = await startTestApi({ deps: { dashboard: await Dashboard.load(folder) } });
    const answer = await get('/', {}, without.url);
    await without.close();
    await rm(folder, { recursive: true });
    expect(answer.status).toBe(503);
    expect(await answer.text()).toContain('npm run build:dashboard');
  });
});
