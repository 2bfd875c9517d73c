import { readDiff } from '@docent/client';

/** A line that a diff shows: as in code-hosts/talk.ts. */
interface DiffPlace {
  path: string;
  oldPath: string;
  line: number;
  oldLine: number | null;
}

/** A finding about a line, in Markdown. */
export interface Finding {
  path: string;
  line: number;
  body: string;
}

/** `- guides/start.md:12: The step is missing.`, even with the position as code or bold, or with a dash. */
const ITEM = /^ {0,3}[-*+] +[`*]*([^\s`*:](?:[^`*\n]*?[^\s`*:])?):(\d{1,7})[`*]*(?:[:,]| +[-–—])?[`*]* +(\S.*)$/;
const CONTINUES = /^(?: {2,}|\t)\S/;

/** The findings in an agent's closing words of a review, and the rest of these. */
export function findingsIn(said: string): { findings: Finding[]; rest: string } {
  const findings: Finding[] = [];
  const rest: string[] = [];
  let open: Finding | null = null;
  for (const line of said.split('\n')) {
    const [, path, number, body] = ITEM.exec(line) ?? [];
    if (path !== undefined && body !== undefined && /[./]/.test(path)) {
      open = { path: path.replace(/^\.?\//, ''), line: Number(number), body };
      findings.push(open);
    } else if (open && CONTINUES.test(line)) {
      open.body += `\n${line.trim()}`;
    } else {
      open = null;
      rest.push(line);
    }
  }
  return {
    findings,
    rest: rest
      .join('\n')
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim(),
  };
}

/** A list item that {@link findingsIn} reads. */
export function findingText({ path, line, body }: Finding): string {
  return `- \`${path}:${line}\`: ${body.replaceAll('\n', '\n  ')}`;
}

/** The findings on lines that a diff shows, one comment per line; and the others. */
export function placedFindings(
  findings: readonly Finding[],
  diff: string,
): { placed: (DiffPlace & { body: string })[]; others: Finding[] } {
  const places = placesIn(diff);
  const placed = new Map<string, DiffPlace & { body: string }>();
  const others: Finding[] = [];
  for (const finding of findings) {
    const key = `${finding.path}:${finding.line}`;
    const place = places.get(key);
    const same = placed.get(key);
    if (!place) others.push(finding);
    else if (!same) placed.set(key, { ...place, body: finding.body });
    else if (!same.body.includes(finding.body)) same.body += `\n\n${finding.body}`;
  }
  return { placed: [...placed.values()], others };
}

/** The paths of a diff, each with the numbers of the lines that it adds. */
export function addedLines(diff: string): [path: string, lines: number[]][] {
  const added = [...placesIn(diff).values()].filter(({ oldLine }) => oldLine === null);
  const byPath = Map.groupBy(added, ({ path }) => path);
  return [...byPath].map(([path, places]) => [path, places.map(({ line }) => line)]);
}

/** By path and line in the new file. */
function placesIn(diff: string): Map<string, DiffPlace> {
  const places = new Map<string, DiffPlace>();
  for (const { path, oldPath, hunks } of readDiff(diff).files) {
    for (const { kind, old, now } of hunks.flatMap(({ lines }) => lines)) {
      if (now === null) continue;
      const oldLine = kind === 'same' ? old : null;
      places.set(`${path}:${now}`, { path, oldPath: oldPath ?? path, line: now, oldLine });
    }
  }
  return places;
}
