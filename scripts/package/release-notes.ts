/** The section of a version in CHANGELOG.md; null if it is missing or empty. */
export function releaseNotes(changelog: string, version: string): string | null {
  const sections = changelog.split(/^## /m);
  const section = sections.find((text) => text.startsWith(`[${version}]`));
  const notes = section?.slice(section.indexOf('\n') + 1).trim() ?? '';
  return notes === '' ? null : `${notes}\n`;
}

/** The manifests of both packages. */
export interface PackageFacts {
  /** Versions. */
  server: string;
  client: string;
  /** Addresses of their repositories. */
  repositories: readonly string[];
}

/**
 * Why nothing may be released under a tag, in sentences; none if all agree.
 * @param tag `v` and the version
 */
export function releaseProblems(tag: string, facts: PackageFacts, changelog: string): string[] {
  const problems: string[] = [];
  const { server, client, repositories } = facts;
  if (tag !== `v${server}`)
    problems.push(`The tag is ${tag || 'missing'}, and package.json says ${server}: v${server} is wanted.`);
  if (client !== server) problems.push(`packages/client/package.json says ${client}, and package.json ${server}.`);
  if (repositories.some((address) => address.includes('//git.example.com/')))
    problems.push('Put the address of your repository into homepage, bugs and repository of both package.json.');
  if (releaseNotes(changelog, server) === null)
    problems.push(`CHANGELOG.md has nothing under "## [${server}]": move there what is under "## [Unreleased]".`);
  else if (!new RegExp(`^## \\[${server.replaceAll('.', '\\.')}\\] - \\d{4}-\\d\\d-\\d\\d$`, 'm').test(changelog))
    problems.push(`CHANGELOG.md has no date in the heading of ${server}: "## [${server}] - YYYY-MM-DD" is wanted.`);
  return problems;
}
