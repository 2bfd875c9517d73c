import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { followMoves } from '../../../src/analytics/counts/page-moves.ts';
import { nextOf } from '../../../src/cli/commands/page-redirects.ts';
import { Site } from '../../support/fixture-site.ts';

function moving(redirects: [string, string][]) {
  const circles: string[] = [];
  const moves = followMoves(nextOf(redirects), (sentence) => circles.push(sentence));
  return { moves, circles };
}

describe('where the views of a page count', () => {
  test('a page that moved twice counts where it is now', () => {
    const { moves, circles } = moving([
      ['/a', '/b'],
      ['/b', '/c'],
    ]);
    expect(['/a', '/b', '/c', '/d'].map(moves)).toEqual(['/c', '/c', '/c', '/d']);
    expect(circles).toEqual([]);
  });

  test('pages that move in a circle, and those that lead there, stay where they are', () => {
    const { moves, circles } = moving([
      ['/in', '/a'],
      ['/a', '/b'],
      ['/b', '/a'],
      ['/self', '/self'],
    ]);
    expect(['/in', '/a', '/b', '/self'].map(moves)).toEqual(['/in', '/a', '/b', '/self']);
    expect(circles[0]).toBe('These page moves form a loop: /a → /b → /a.');
  });

  test('patterns, other spellings, and what leads away from the site', () => {
    const { moves, circles } = moving([
      ['/old/:slug*', '/new/:slug*'],
      ['/v1/*', '/v2/*'],
      ['guide/', '/manual?tab=1#top'],
      ['/caf%C3%A9', '/coffee'],
      ['/out', 'https://elsewhere.example/x'],
      ['/out2', '//elsewhere.example/x'],
      ['/mail', 'mailto:a@b.example'],
      ['/grow', '/grow/more'],
      ['/for/:x*', '/for/ever/:x*'],
    ]);
    expect(
      ['/old/a/b', '/v1/x', '/guide', '/café', '/out', '/out2', '/mail', '/grow', '/grow/more'].map(moves),
    ).toEqual(['/new/a/b', '/v2/x', '/manual', '/coffee', '/out', '/out2', '/mail', '/grow/more', '/grow/more']);
    expect(moves('/for/a')).toBe('/for/a');
    expect(circles).toHaveLength(1);
  });

  test('doing it twice changes nothing, whatever moves where', () => {
    const page = fc.constantFrom('/a', '/b', '/c', '/d', '/e');
    fc.assert(
      fc.property(fc.array(fc.tuple(page, page), { maxLength: 8 }), page, (redirects, asked) => {
        const { moves } = moving(redirects);
        expect(moves(moves(asked))).toBe(moves(asked));
      }),
    );
  });

  test('output of the agent’s move tool', () => {
    const pages = ['start', 'next'];
    const site = new Site({
      'docs.json': JSON.stringify({ name: 'A', navigation: { groups: [{ group: 'G', pages }] }, redirects: [] }),
      'start.mdx': '---\ntitle: Start\n---\n\nHello.\n',
      'next.mdx': '---\ntitle: Next\n---\n\nHello.\n',
    });
    expect(site.call('move', { from: 'start', to: 'begin/here' }).ok).toBe(true);
    const { redirects } = JSON.parse(site.text('docs.json') ?? '');
    const { moves } = moving(redirects.map(({ source, destination }: Record<string, string>) => [source, destination]));
    expect(['/start', '/next'].map(moves)).toEqual(['/begin/here', '/next']);
  });
});
