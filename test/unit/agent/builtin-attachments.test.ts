import { expect, test } from 'vitest';
import { readRequest } from '@docent/recipes/read-request';

test.each([
  ['Add the image logo.png at images/logo.png', 'logo.png', 'images/logo.png'],
  ['add the attached image `my logo.png` to the folder `images`.', 'my logo.png', 'images'],
  ['Please place the screenshot "Shot 1.png" in images/', 'Shot 1.png', 'images/'],
  ['Add the attachment prices.csv at assets/prices.csv', 'prices.csv', 'assets/prices.csv'],
])('an attached file is asked for in a sentence: %s', (sentence, name, path) => {
  expect(readRequest(sentence)).toEqual({
    instructions: [{ kind: 'add-attachment', name, path }],
    notUnderstood: [],
  });
});

test.each(['Add an image to the start page', 'Add the image that I sent', 'Put the page guides/a before guides/b'])(
  'what names no file and no path is none: %s',
  (sentence) => {
    expect(readRequest(sentence).instructions.map(({ kind }) => kind)).not.toContain('add-attachment');
  },
);
