import type { components } from '@docent/client';
import { Command, Option } from 'commander';
import { allPages } from '../all-pages.ts';
import { answerOf } from '@docent/base/terminal/api-answer';
import { CliFailure, EXIT } from '@docent/base/terminal/failures';
import { fields, print, tableOr } from '@docent/base/terminal/terminal-text';
import { confirm, YES } from '@docent/base/terminal/confirm';
import { assertChange, several } from '../parsing.ts';
import { serverOf, withServer } from '../server.ts';

type Person = components['schemas']['Person'];

/** `docent person …` */
export function personCommand(): Command {
  const person = new Command('person').description(
    'manage people who sign in with your identity provider (requires the operator token)',
  );
  withServer(person.command('list')).description('list people who have signed in').action(list);
  withServer(person.command('update <personId>'))
    .description("change a person's role, projects or access; effective within a second")
    .addOption(new Option('--role <role>', 'viewer, editor or admin').choices(['viewer', 'editor', 'admin']))
    .option('--project <id>', 'project that the role applies to; can be repeated', several)
    .option('--all-projects', 'apply the role to all projects, including future ones')
    .option('--role-from-provider', "use the identity provider's role again, from the next sign-in")
    .option('--disable', 'sign the person out everywhere and block sign-in')
    .option('--enable', 'allow sign-in again')
    .addHelpText(
      'after',
      `
A role or projects set here override what the identity provider sends later.

Examples:
  $ docent person update per_7m2kq0x4z9c1v8b5n3dw --role editor --project handbook
  $ docent person update per_7m2kq0x4z9c1v8b5n3dw --disable`,
    )
    .action(update);
  withServer(person.command('remove <personId>'))
    .description('sign a person out everywhere, and delete them')
    .option(...YES)
    .action(remove);
  return person;
}

async function list(options: { json?: boolean }, command: Command): Promise<void> {
  const { client, url } = serverOf(command);
  const people = await allPages(async (query) => {
    const page = await answerOf(url, client.GET('/v1/people', { params: { query } }));
    return { items: page.people, next: page.nextCursor };
  });
  print(options.json, people, () =>
    tableOr(
      'No one has signed in with the identity provider yet.',
      ['ID', 'NAME', 'E-MAIL', 'ROLE', 'PROJECTS', 'STATE', 'LAST SIGN-IN'],
      people.map((person) => [
        person.id,
        person.name ?? '–',
        person.email ?? '–',
        person.roleFromProvider ? person.role : `${person.role} (set)`,
        person.projectIds?.join(',') ?? 'all',
        person.disabled ? 'disabled' : 'enabled',
        person.lastSignInAt ?? 'never',
      ]),
    ),
  );
}

interface UpdateOptions {
  role?: Person['role'];
  project?: string[];
  allProjects?: boolean;
  roleFromProvider?: boolean;
  disable?: boolean;
  enable?: boolean;
  json?: boolean;
}

async function update(personId: string, options: UpdateOptions, command: Command): Promise<void> {
  const { role, project, allProjects, roleFromProvider, disable, enable } = options;
  if (project && allProjects) throw new CliFailure('Use --project or --all-projects, not both.', EXIT.usage);
  if (disable && enable) throw new CliFailure('Use --disable or --enable, not both.', EXIT.usage);
  const body = {
    role,
    projectIds: allProjects ? null : project,
    roleFromProvider,
    disabled: disable || (enable ? false : undefined),
  };
  const these = '--role, --project, --all-projects, --role-from-provider, --disable or --enable';
  assertChange(body, `Specify what to change: ${these}.`);
  const { client, url } = serverOf(command);
  const person = await answerOf(url, client.PATCH('/v1/people/{personId}', { params: { path: { personId } }, body }));
  print(options.json, person, () =>
    fields({
      id: person.id,
      name: person.name,
      email: person.email,
      role: person.role,
      projects: person.projectIds?.join(', ') ?? 'all',
      'role from': person.roleFromProvider ? 'the identity provider' : 'here',
      state: person.disabled ? 'disabled' : 'enabled',
      provider: person.issuer,
    }),
  );
}

async function remove(personId: string, options: { yes?: boolean; json?: boolean }, command: Command): Promise<void> {
  const { client, url } = serverOf(command);
  await confirm(`This signs the person ${personId} out of ${url} and deletes them.`, options);
  await answerOf(url, client.DELETE('/v1/people/{personId}', { params: { path: { personId } } }));
  print(options.json, { removed: personId }, () => `Removed ${personId}.`);
}
