import { knowledgeOf } from '../generators/other-generators.ts';
import { candidatesInWords } from '../read/describe-site.ts';
import type { Site } from '../read/site.ts';
import type { Problem } from './problem.ts';

/** What is not checked since nobody can be sure what links mean; null where that is known. */
export function uncheckedByDoubt({ doubt }: Site): Problem | null {
  if (doubt?.reason === 'unknown-generator') {
    return notice(
      doubt.path,
      `The site is made by ${doubt.name}, whose addresses are not known here. ${knowledgeOf(doubt.name)} If people read the files on their code host, say so with --site plain, or the project’s setting \`site\`: then links without an extension are checked too.`,
    );
  }
  if (doubt?.reason !== 'uncovered' || !doubt.candidates[0]) return null;
  return notice(
    doubt.candidates[0].path,
    `No site was found that makes pages of this folder; the repository has ${candidatesInWords(doubt.candidates, 'and')}. Links to addresses, and the navigation, are not checked. Say which site is meant with --site PATH, or with the project’s setting \`site\`.`,
  );
}

function notice(path: string, message: string): Problem {
  return { path, line: 1, code: 'not-checked', message, severity: 'notice' };
}
