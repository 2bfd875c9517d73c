import { describe, expect, test } from 'vitest';
import { mintJson, mintlify, plain, type Files, type Site } from './fixture-site.ts';

interface Expected {
  /** Paths that differ afterwards, all of them. */
  changed: string[];
  title: string;
  has?: Record<string, string | RegExp>;
  lacks?: Record<string, string | RegExp>;
  /** What the closing words say. */
  says?: string | RegExp;
  steps?: number;
}

/** What a person writes to the built-in editor, and what it comes to. */
export type Row = [site: 'mintlify' | 'mint-json' | 'plain', message: string, expected: Expected, extra?: Files];

const OPEN: Record<Row[0], (extra?: Files) => Site> = { mintlify, 'mint-json': mintJson, plain };

/** A test for each row. */
export function testSentences(rows: readonly Row[]): void {
  describe('the built-in editor carries out', () => {
    test.each(rows)('on %s: %s', async (name, message, expected, extra) => {
      const site = OPEN[name](extra);
      const { text, steps } = await site.say(message);
      expect(text.split('\n')[0]).toBe(expected.title);
      expect(text.split('\n')[0]!.length).toBeLessThanOrEqual(72);
      expect(site.changed()).toEqual(expected.changed);
      for (const [path, part] of Object.entries(expected.has ?? {})) {
        if (typeof part === 'string') expect(site.text(path)).toContain(part);
        else expect(site.text(path)).toMatch(part);
      }
      for (const [path, part] of Object.entries(expected.lacks ?? {})) expect(site.text(path)).not.toContain(part);
      if (expected.says) expect(text).toMatch(expected.says);
      if (expected.steps) expect(steps).toBe(expected.steps);
      // Deleting a page without naming another leaves no redirect: that is for people to decide.
      expect(site.introduced().filter((line) => !line.includes('missing-redirect'))).toEqual([]);
    });
  });
}
