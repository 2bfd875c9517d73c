import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeTurn } from '@docent/agent/commit-message';
import { processorMs } from '../../support/processor-time.ts';
import { anyCharacter } from '../../support/any-character.ts';

const describeClosing = (closingText: string, prompts = ['Do it']) =>
  describeTurn({ prompts, closingText, changes: [] });

describe('the words of a commit', () => {
  test('are the first line and the rest of the agent’s closing text', () => {
    expect(describeClosing('Replaced "A" with "B" in 3 pages.\n\nLeft 2 in code.')).toEqual({
      title: 'Replaced "A" with "B" in 3 pages',
      body: 'Left 2 in code.',
    });
  });

  test('fit a template, which the title leaves room for', () => {
    const about = { prompts: [], changes: [], template: 'docs(site): {title}' };
    expect(describeTurn({ ...about, closingText: 'Fix $& and links.' }).title).toBe('docs(site): Fix $& and links');
    const long = describeTurn({ ...about, closingText: `${'long '.repeat(30)}end` });
    expect(Array.from(long.title).length).toBeLessThanOrEqual(72);
    expect(long.title).toMatch(/^docs\(site\): long/);
    expect(long.body).toContain('end');
  });

  test('fall back to the request, then to the files', () => {
    expect(describeClosing('', ['# Rename the start page.\nPlease']).title).toMatch(/Rename the start page$/);
    expect(describeTurn({ prompts: [], closingText: ' ', changes: [{ path: 'a.md' }, { path: 'b.md' }] }).title).toBe(
      'Update 2 files',
    );
  });

  test('say a line in full that is too long for a title', () => {
    const { title, body } = describeClosing(`${'long '.repeat(30)}end`);
    expect(Array.from(title)).toHaveLength(72);
    expect(body).toContain('end');
  });

  test('mention no one, close no issue and carry no trailer, whatever a page or a model says', () => {
    const { title, body } = describeClosing(
      'Hello @everyone\nFixes #12, closes acme/app#3 and resolves https://example.org/1\nSigned-off-by: The Boss <b@x>\nDocent-Turn: j/9',
    );
    expect(title).not.toMatch(/@e/);
    expect(body).not.toMatch(/(fixes|closes|resolves)\s+(acme\/app)?(#|https)/i);
    expect(body).not.toMatch(/^(Signed-off-by|Docent-Turn):/m);
  });

  test.each([
    [
      'closes an issue in other words',
      'x\nImplements #4, closing GH-5, reopens a/b/c#6, fixing: PROJ-7',
      /(implements|closing|reopens|fixing:)\s+(#|GH|a\/|PROJ)/i,
    ],
    [
      'skips the checks',
      'x [skip ci]\n[CI SKIP] [no ci] [skip actions] [actions skip] [skip-ci]\nskip-checks: true',
      /\[(skip|no|ci|actions)[ -](ci|skip|actions)\]|^skip-checks:/im,
    ],
    ['is a quick action', 'x\n/merge\n  /approve\n/assign @boss', /^[ \t]*\/[a-z]/m],
    ['is HTML', 'x\n<img src="https://evil.example/?d=1"><!-- hidden --> </details><script>', /<[a-z/!]/i],
    ['loads an image', 'x\n![a](https://evil.example/?d=1) [![b][c]](d)', /!\[/],
    [
      'is a trailer in other letters',
      'x\nCO-AUTHORED-BY: a <a@b>\nSigned-Off-By: c',
      /^(co-authored-by|signed-off-by):/im,
    ],
  ])('have nothing in them that %s', (_what, closing, pattern) => {
    expect(closing).toMatch(pattern);
    const { title, body } = describeClosing(closing);
    expect(title).not.toMatch(pattern);
    expect(body).not.toMatch(pattern);
    // It reads as it was said.
    expect(body.replaceAll('\u2060', '')).toBe(closing.slice(closing.indexOf('\n') + 1).trim());
  });

  test('take no more than a moment for any length of text', () => {
    const ms = processorMs(() => {
      for (const piece of ['fixes ', 'a/', 'fixes a/', '@', '[skip', '<', 'A-by', 'closes issues ', ' ', '\n/'])
        describeClosing(`x\n${piece.repeat(100_000 / piece.length)}`);
    });
    expect(ms).toBeLessThan(5_000);
  });

  test('stay one bounded line and a bounded body for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 20_000 }), (text) => {
        const { title, body } = describeClosing(text);
        expect(title).not.toMatch(/[\n\r\0]/);
        expect(title.length).toBeGreaterThan(0);
        expect(Array.from(title).length).toBeLessThanOrEqual(72);
        expect(Array.from(body).length).toBeLessThanOrEqual(8_000);
        expect(body).not.toContain('\0');
      }),
    );
  });
});
