import { Command } from 'commander';
import { CliFailure, EXIT } from '@docent/base/terminal/failures';
import { fields, print, table } from '@docent/base/terminal/terminal-text';
import { contextNamed, LOCAL, readContexts, writeContexts } from '../contexts.ts';
import { serverOf, withServer } from '../server.ts';

interface Options {
  json?: boolean;
}

/** `docent context …` */
export function contextCommand(): Command {
  const context = new Command('context').description('manage the servers and keys that `docent login` saved');
  context.command('list').description('list the contexts').option('--json', 'print JSON').action(list);
  context
    .command('use <name>')
    .description('switch to a context; `local` is the Docent on this machine')
    .option('--json', 'print JSON')
    .action(use);
  withServer(context.command('show'))
    .description('show which server and key commands use, and where each is set')
    .action(show);
  context
    .command('rm <name>')
    .description('delete a context and its key')
    .option('--json', 'print JSON')
    .action(forget);
  return context;
}

/** `docent logout` */
export function logoutCommand(): Command {
  return new Command('logout')
    .description('delete a context and its key')
    .argument('[context]', 'context (default: the current one)')
    .option('--json', 'print JSON')
    .action(async (given: string | undefined, options: Options) => {
      const name = given ?? readContexts(process.env).current;
      if (name === null) throw new CliFailure('You are not logged in anywhere.', EXIT.usage);
      await forget(name, options);
    });
}

async function list({ json }: Options): Promise<void> {
  const { current, contexts } = readContexts(process.env);
  const rows = Object.entries(contexts).map(([name, { url, keyIs, project }]) => ({
    name,
    url,
    project,
    keyIs,
    current: name === current,
  }));
  print(json, rows, () =>
    table(
      ['', 'NAME', 'URL', 'PROJECT', 'KEY'],
      [
        [current === null ? '*' : '', LOCAL, 'the Docent on this machine', '', 'the operator token in its home'],
        ...rows.map((row) => [row.current ? '*' : '', row.name, row.url, row.project ?? '–', row.keyIs]),
      ],
    ),
  );
}

async function use(name: string, { json }: Options): Promise<void> {
  const known = readContexts(process.env);
  const url = name === LOCAL ? null : contextNamed(name, known).url;
  writeContexts(process.env, { ...known, current: name === LOCAL ? null : name });
  print(json, { context: name, url }, () => `Commands now go to ${url ?? 'the Docent on this machine'}.`);
}

async function show(options: Options, command: Command): Promise<void> {
  const { url, context, foundBy, keyFrom, defaultProject } = serverOf(command);
  print(options.json, { url, context, foundBy, keyFrom, project: defaultProject ?? null }, () =>
    fields({ server: url, 'found by': foundBy, key: `from ${keyFrom}`, project: defaultProject ?? null }),
  );
}

async function forget(name: string, { json }: Options): Promise<void> {
  const known = readContexts(process.env);
  if (name === LOCAL) throw new CliFailure(`"${LOCAL}" always means the Docent on this machine.`, EXIT.usage);
  const { url, keyIs } = contextNamed(name, known);
  const contexts = Object.fromEntries(Object.entries(known.contexts).filter(([each]) => each !== name));
  writeContexts(process.env, { current: known.current === name ? null : known.current, contexts });
  print(json, { context: name, forgotten: true }, () =>
    [
      `Deleted the context ${name} (${url}) and its key from this machine.`,
      ...(keyIs.startsWith('the key') ? ['The key itself still works. Revoke it with `docent key revoke`.'] : []),
    ].join('\n'),
  );
}
