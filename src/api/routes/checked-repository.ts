import { isAbsolute } from 'node:path';
import { AppError } from '../../platform/errors.ts';
import { codeHostNotFound, findCodeHost, listCodeHosts, type CodeHostRow } from '../../store/hosts/code-hosts.ts';
import type { Db } from '../../store/database.ts';
import type { SettingsChange } from '../../store/projects/project-settings.ts';
import type { ProjectSettings } from '../../store/schema.ts';
import type { CheckRepositoryResult } from '../../workflows/contract.ts';
import type { ApiServices } from '../services.ts';
import { httpsUrl, urlOfPage } from './meant-url.ts';

export type Checked = Extract<CheckRepositoryResult, { ok: true }> & { host: string };

/** The settings that a worker holds against the repository. */
export type CheckedSettings = Pick<SettingsChange, 'site' | 'branchPrefix' | 'instructionFiles' | 'styleGuides'>;

/** The same after a change. */
export function settingsToCheck(current: ProjectSettings, change: SettingsChange = {}): CheckedSettings {
  const { site, branchPrefix, instructionFiles, styleGuides } = current;
  return { site, branchPrefix, instructionFiles, styleGuides, ...givenIn(change) };
}

export function changesWhatIsChecked(change: SettingsChange = {}): boolean {
  return Object.keys(givenIn(change)).length > 0;
}

function givenIn({ site, branchPrefix, instructionFiles, styleGuides }: SettingsChange): CheckedSettings {
  const given = Object.entries({ site, branchPrefix, instructionFiles, styleGuides });
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

/**
 * Has a worker check a repository.
 * @param host the code host's name; absent: found by the URL
 * @throws AppError `repository_refused` (400) with the reason, `unavailable` (503), `host_not_found`
 */
export async function checkedRepository(
  services: ApiServices,
  at: {
    repository: string;
    repositoryId?: string | null;
    ref: string | null;
    host?: string | undefined;
    docsDir: string;
    settings: CheckedSettings;
    caller: string;
  },
): Promise<Checked> {
  const { repository, repositoryId = null, ref, docsDir, settings, caller } = at;
  const { site = null, branchPrefix = null, instructionFiles, styleGuides } = settings;
  const host = await hostFor(services.db, repository, at.host);
  const input = { host, repository, repositoryId, ref, docsDir, site, branchPrefix, instructionFiles, styleGuides };
  return { ...orRefused(await services.workflows.checkRepository(input, caller)), host };
}

/**
 * For a repository that is only read: without docs, branch or permission to push.
 * @throws as {@link checkedRepository}
 */
export async function checkedSource(
  services: ApiServices,
  {
    repository,
    repositoryId = null,
    ref,
    caller,
    ...at
  }: {
    repository: string;
    repositoryId?: string | null;
    ref: string | null;
    host?: string | undefined;
    readFolder?: string;
    caller: string;
  },
): Promise<Checked> {
  const host = await hostFor(services.db, repository, at.host);
  const { readFolder } = at;
  const input = { host, repository, repositoryId, ref, docsDir: '', site: null, branchPrefix: null, readFolder };
  return { ...orRefused(await services.workflows.checkRepository({ ...input, access: 'read' }, caller)), host };
}

function orRefused(checked: CheckRepositoryResult): Extract<CheckRepositoryResult, { ok: true }> {
  if (checked.ok) return checked;
  if (checked.code === 'unreachable' || checked.code === 'host_unavailable' || checked.code === 'host_rate_limited') {
    throw new AppError('unavailable', checked.message, { retryAfterSeconds: 10 });
  }
  throw refused(checked.message);
}

/** @throws AppError `repository_refused` if a file is not there that the project's settings name */
export function refuseAbsent({ ref, instructions }: Checked): void {
  const absent = instructions?.find(({ missing }) => missing);
  if (!absent) return;
  const setting = absent.role === 'styleGuide' ? 'styleGuides' : 'instructionFiles';
  throw refused(`\`settings.${setting}\`: ${absent.path} cannot be used from the branch ${ref}: ${absent.why}.`);
}

/**
 * Verified commits are made by a GitHub App.
 * @throws AppError `repository_refused` if the host has none
 */
export async function refuseUnverified(db: Db, host: string, { verifiedCommits }: SettingsChange): Promise<void> {
  if (verifiedCommits !== true) return;
  const found = host === 'local' ? null : await findCodeHost(db, host);
  if (found?.kind === 'github' && found.appId !== null) return;
  throw refused(
    `\`settings.verifiedCommits\`: verified commits need GitHub and a GitHub App. ${host === 'local' ? 'A local repository has none' : `The code host ${host} is connected without one`}.`,
  );
}

/**
 * A repository's code host.
 * @throws AppError `repository_refused` unless exactly one fits, `host_not_found` for an unknown name
 */
export async function hostFor(db: Db, repository: string, asked: string | undefined): Promise<string> {
  if (isAbsolute(repository)) {
    if (asked === undefined || asked === 'local') return 'local';
    throw refused(`\`host\`: ${asked} has no repositories on the server. Send the repository’s URL.`);
  }
  if (!/^https?:\/\//i.test(repository) || !URL.canParse(repository)) {
    const meant = httpsUrl(repository);
    throw refused(
      meant === null
        ? '`repository` must be a URL on a code host, such as https://github.com/acme/docs, or the ' +
            'absolute path of a git repository on the server.'
        : `\`repository\`: Docent reaches code hosts over HTTPS. Did you mean ${meant}?`,
    );
  }
  const { username, password, href } = new URL(repository);
  if (username !== '' || password !== '') {
    throw refused(
      '`repository`: remove the user name and password from the URL. Docent uses the credential of the code host.',
    );
  }
  if (asked !== undefined) {
    const known = await findCodeHost(db, asked);
    if (!known) throw codeHostNotFound(asked);
    refusePage(known, repository);
    return asked;
  }
  const fitting = (await listCodeHosts(db)).filter(({ webUrl }) => href.startsWith(`${webUrl}/`));
  const [first, ...others] = fitting;
  if (!first) {
    const { origin } = new URL(repository);
    throw refused(
      `No code host is set up for ${origin}. An operator adds it on the Code hosts page, or with \`docent host add\`.`,
    );
  }
  if (others.length > 0) {
    const names = fitting.map(({ id }) => id).join(', ');
    throw refused(`Several code hosts match this URL: ${names}. Choose one with \`host\`.`);
  }
  refusePage(first, repository);
  return first.id;
}

function refusePage(host: CodeHostRow, repository: string): void {
  const meant = urlOfPage(host, repository);
  if (meant === null) return;
  throw refused(`\`repository\`: this is the URL of a page of the repository. Did you mean ${meant}?`);
}

function refused(sentence: string): AppError {
  return new AppError('repository_refused', sentence);
}
