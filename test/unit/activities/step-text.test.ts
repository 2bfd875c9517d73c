import { expect, test } from 'vitest';
import { describeCalls } from '../../../src/activities/step/step-text.ts';

test.each(['a', 'é', '界', '🙂'])(
  'the calls of a step fit a summary in Temporal’s Web UI, which takes 400 bytes, also with paths of %s',
  (letter) => {
    const calls = Array.from({ length: 9 }, (_, i) => ({
      id: `${i}`,
      name: 'edit',
      input: { path: `${i}${letter.repeat(50)}.md` },
    }));
    const words = describeCalls(calls);
    expect(words).toMatch(/^edit .*…$/);
    expect(words.isWellFormed()).toBe(true);
    expect(Array.from(words).length).toBeLessThanOrEqual(100);
    expect(Buffer.byteLength(JSON.stringify(`Step 1000: ${words}`))).toBeLessThan(400);
  },
);
