import type { Argument, Command, Option } from 'commander';

/** What may come next on a command line. */
export interface Wanted {
  /** Ready to be offered. */
  candidates: Candidate[];
  /** Ids that only the server knows, or the contexts on this machine. */
  ids: IdKind | null;
  files: boolean;
  /** The typed part of the last word; for `--project=ac`, the part after the sign. */
  partial: string;
  /** `--project=` if the last word begins with it. */
  prefix: string;
  /** Earlier options, by their names in code: they select the server and project. */
  given: Readonly<Record<string, string>>;
}

export interface Candidate {
  value: string;
  description: string;
}

export type IdKind =
  | 'projects'
  | 'jobs'
  | 'attachments'
  | 'automations'
  | 'webhooks'
  | 'keys'
  | 'hosts'
  | 'sources'
  | 'secrets'
  | 'contexts';

/** By command and argument, or by option. */
const IDS: Readonly<Record<string, IdKind>> = {
  'job id': 'jobs',
  'pr job': 'jobs',
  'attachment attachmentId': 'attachments',
  'source name': 'sources',
  'secret name': 'secrets',
  'webhook webhook': 'webhooks',
  'automation automation': 'automations',
  'project id': 'projects',
  'key keyId': 'keys',
  'host name': 'hosts',
  'context name': 'contexts',
  'docent context': 'contexts',
  '--automation': 'automations',
  '--job': 'jobs',
  '--project': 'projects',
  '--context': 'contexts',
  '--host': 'hosts',
  '--webhook-secret-name': 'secrets',
};

/** Commands that create something take a new name. */
const NEW = new Set(['create', 'add']);

const FILES =
  /^(files|paths?|--(home|output|stdin-path|attach|about-file|token|password|private-key|webhook-secret|value|cache|aliases-from|repository))$/;

/** Reads a command line so far. @param words after the program's name; the last one is being typed */
export function wantedAfter(program: Command, words: readonly string[]): Wanted {
  let command = program;
  let places = 0;
  let pending: Option | null = null;
  let isOver = false;
  const given: Record<string, string> = {};
  const said = new Set<string>();
  for (const word of words.slice(0, -1)) {
    if (pending) {
      given[pending.attributeName()] = word;
      pending = null;
    } else if (word === '--') {
      isOver = true;
    } else if (word.startsWith('-') && !isOver) {
      const [name = '', value] = splitOption(word);
      const option = optionNamed(command, name);
      said.add(name);
      if (option && value !== undefined) given[option.attributeName()] = value;
      else if (option?.required) pending = option;
    } else {
      const next = places === 0 ? command.commands.find((each) => each.name() === word) : undefined;
      if (next) command = next;
      else places += 1;
    }
  }
  const last = words.at(-1) ?? '';
  const [name = '', value] = splitOption(last);
  const valued = pending ?? (value === undefined || isOver ? undefined : optionNamed(command, name));
  if (valued) {
    const prefix = pending ? '' : `${name}=`;
    return { ...valuesOf(valued), partial: pending ? last : (value ?? ''), prefix, given };
  }
  const rest = { partial: last, prefix: '', given };
  if (last.startsWith('-') && !isOver) {
    return { candidates: optionsOf(command, said), ids: null, files: false, ...rest };
  }
  if (command.commands.length > 0 && places === 0) {
    return { candidates: subcommandsOf(command), ids: null, files: false, ...rest };
  }
  return { ...argumentOf(command, places), ...rest };
}

function splitOption(word: string): [string, string?] {
  const at = word.startsWith('--') ? word.indexOf('=') : -1;
  return at < 0 ? [word] : [word.slice(0, at), word.slice(at + 1)];
}

const optionNamed = (command: Command, name: string): Option | undefined =>
  command.options.find(({ long, short }) => long === name || short === name);

const fromChoices = (choices: readonly string[]): Candidate[] => choices.map((value) => ({ value, description: '' }));

function valuesOf({ long, argChoices }: Option): Pick<Wanted, 'candidates' | 'ids' | 'files'> {
  const name = long ?? '';
  return { candidates: fromChoices(argChoices ?? []), ids: IDS[name] ?? null, files: FILES.test(name) };
}

function argumentOf(command: Command, place: number): Pick<Wanted, 'candidates' | 'ids' | 'files'> {
  const known: readonly Argument[] = command.registeredArguments;
  const last = known.at(-1);
  const argument = known[place] ?? (last?.variadic ? last : undefined);
  if (!argument) return { candidates: [], ids: null, files: false };
  const ids = NEW.has(command.name()) ? undefined : IDS[`${command.parent?.name()} ${argument.name()}`];
  return {
    candidates: fromChoices(argument.argChoices ?? []),
    ids: ids ?? null,
    files: ids === undefined && FILES.test(argument.name()),
  };
}

function optionsOf(command: Command, said: ReadonlySet<string>): Candidate[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long, description }) => (long && !said.has(long) ? [{ value: long, description }] : []));
}

function subcommandsOf(command: Command): Candidate[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .map((each) => ({ value: each.name(), description: each.description() }));
}
