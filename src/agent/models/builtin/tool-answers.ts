/** Reads what the tools answer. The built-in editor sees nothing else of the repository, as any model. */

export interface SiteLine {
  configured: boolean;
  extension: string;
  titlesInFrontMatter: boolean;
}

/** The first line of `list`. */
export function readSiteLine(output: string): SiteLine | null {
  const match = /^Site: (.+?)\. Root: .*\. Pages: [\d,]+ \((\.\w+)\)\. Titles: in (front matter|headings)\./.exec(
    output,
  );
  if (!match) return null;
  return {
    configured: !match[1]!.startsWith('plain Markdown'),
    extension: match[2]!,
    titlesInFrontMatter: match[3] === 'front matter',
  };
}

/** The files that a call changed. */
export function readChanged(output: string): string[] {
  const line = /^Changed: (".*")$/m.exec(output)?.[1];
  if (!line) return [];
  try {
    return JSON.parse(`[${line}]`) as string[];
  } catch {
    return [];
  }
}

export interface ReportedProblem {
  path: string;
  code: string;
  target: string | null;
  suggestion: string | null;
}

/** Why `check` suggests nothing for links: it is not known what they mean; null where it is. */
export function readDoubt(output: string): string | null {
  return /^Not sure what links mean here, so none is suggested: (.+)$/m.exec(output)?.[1] ?? null;
}

/** What `check` says of files that may not be changed. */
export function readNotListed(output: string): string | null {
  const found = /^Not listed: (\d.*) in files outside (.+?), which you may not change: (.*)$/m.exec(output);
  return found && `Left alone: ${found[1]} in files outside ${found[2]}, which may not be changed: ${found[3]}`;
}

/** The problems that `check` lists. */
export function readProblems(output: string): ReportedProblem[] {
  return output.split('\n').flatMap((line): ReportedProblem[] => {
    const match = /^(.+?):(\d+) ([a-z-]+): (.*)$/.exec(line);
    if (!match) return [];
    const [, path, , code, rest] = match;
    const [message = '', hint] = rest!.split(' Best match: ');
    const suggestion = hint === undefined ? null : readString(hint);
    return [{ path: path!, code: code!, target: readString(message), suggestion }];
  });
}

function readString(text: string): string | null {
  const literal = /"(?:[^"\\]|\\.)*"/.exec(text)?.[0];
  if (literal === undefined) return null;
  try {
    return JSON.parse(literal) as string;
  } catch {
    return null;
  }
}

export interface Replacements {
  count: number;
  files: number;
  /** What was left alone, by where it stands. */
  left: Map<string, number>;
}

/** The first line of `edit`, also of its refusal. */
export function readReplacements(output: string): Replacements {
  const [first = ''] = output.split('\n');
  const done = /^Replaced ([\d,]+) (?:occurrences?|link targets?) in (?:([\d,]+) files?\.)?/.exec(first);
  const left = new Map<string, number>();
  const list = /Left alone: ([^.]*)\./.exec(output)?.[1] ?? '';
  for (const part of list.split(', ')) {
    const [, count, where] = /^(\d+) in (.+)$/.exec(part) ?? [];
    if (count && where) left.set(where, Number(count));
  }
  return { count: numberIn(done?.[1]), files: done ? numberIn(done[2] ?? '1') : 0, left };
}

function numberIn(text = '0'): number {
  return Number(text.replaceAll(',', ''));
}

/** The lines of a file as `read` shows them. */
export function readLines(output: string): string[] {
  return output.split('\n').flatMap((line) => {
    const match = /^ *\d+\t(.*)$/.exec(line);
    return match ? [match[1]!] : [];
  });
}
