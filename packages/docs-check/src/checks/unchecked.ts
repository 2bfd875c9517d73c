import { plural } from '@docent/base/plural';
import { knowledgeOf } from '../generators/other-generators.ts';
import { candidatesText } from '../read/describe-site.ts';
import type { Site } from '../read/site.ts';
import type { Problem } from './problem.ts';

/** The skipped checks because the meaning of links is uncertain; null if it is known. */
export function uncheckedByDoubt({ doubt }: Site): Problem | null {
  if (doubt?.reason === 'unknown-generator') {
    return notice(
      doubt.path,
      `The site is built with ${doubt.name}, whose link rules Docent does not know. ` +
        `${knowledgeOf(doubt.name)} If you read the files on your code host, set --site plain or the ` +
        `project’s setting \`site\`. Links without an extension are then checked, too.`,
    );
  }
  if (doubt?.reason !== 'uncovered' || !doubt.candidates[0]) return null;
  return notice(
    doubt.candidates[0].path,
    'No site configuration covers this folder; the repository has ' +
      `${candidatesText(doubt.candidates, 'and')}. Links to addresses and the navigation are not checked. ` +
      `Choose a site with --site PATH or the project’s setting \`site\`.`,
  );
}

/** Says that anchors may exist which only the build shows. @param pages that have them, once for each link */
export function anchorsNotChecked(pages: readonly string[]): Problem | null {
  const [first] = pages;
  if (first === undefined) return null;
  const others = new Set(pages).size - 1;
  const where = others === 0 ? first : `${first} and ${plural(others, 'more page')}`;
  return notice(
    first,
    `${plural(pages.length, 'link')} to anchors of ${where} could not be checked: a component, shortcode, directive or ` +
      'included file there may make the IDs.',
  );
}

function notice(path: string, message: string): Problem {
  return { path, line: 1, code: 'not-checked', message, severity: 'notice' };
}
