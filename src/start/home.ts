import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { messageOf } from '@docent/base/thrown';
import { tryLock } from '@docent/base/file-lock';

/** The facts about a running `docent start` for other processes, in `run.json`. */
const RunFile = z.object({
  /** The home itself, symbolic links resolved: in a copy of the home, this file is about the original. */
  home: z.string(),
  apiUrl: z.url(),
  temporalAddress: z.string(),
  /** Null with an external Temporal, whose Web UI is unknown. */
  temporalUiUrl: z.string().nullable(),
  /** The metrics addresses of the roles, if any. */
  metricsUrls: z.object({ api: z.url(), worker: z.url() }).optional(),
  projectId: z.string(),
  /** The PostgreSQL of this start: for commands that work on its files. */
  databaseUrl: z.string().optional(),
  /** The supervisor's process id. */
  pid: z.int().positive(),
});
export type RunFile = z.output<typeof RunFile>;

/** The state that is kept between starts, in `state.json`. Fields of other versions stay. */
const HomeState = z.looseObject({
  apiPort: z.int().optional(),
  temporalPort: z.int().optional(),
  temporalUiPort: z.int().optional(),
  /** Set once the demo project was made: a demo that someone deleted stays deleted. */
  demoProjectMade: z.boolean().optional(),
  /** The home's location at the last check of its database: rows name repositories in it by their paths. */
  place: z.string().optional(),
});
export type HomeState = z.output<typeof HomeState>;

/** Shown only at a terminal. Otherwise they go into these files, because output ends up in logs. */
export const SECRET_FILES = ['first-key', 'sign-in-link'] as const;
export type SecretFile = (typeof SECRET_FILES)[number];

/** The folder of `docent start`. Holding it means to be the only one. */
export interface Home {
  readonly folder: string;
  readonly postgresFolder: string;
  readonly temporalFolder: string;
  readonly cacheFolder: string;
  readonly demoRepository: string;
  readonly processesFile: string;
  readonly logFile: string;
  readonly operatorTokenFile: string;
  /** Holds what the credentials of code hosts are encrypted with. */
  readonly secretKeyFile: string;
  readOperatorToken(): string;
  readState(): HomeState;
  updateState(change: HomeState): void;
  writeRunFile(run: Omit<RunFile, 'home'>): void;
  /** Removes `run.json` and the sign-in link. */
  removeRunFile(): void;
  /** Stores a secret in its own file, readable only by its owner. Returns the file's path. */
  writeSecret(name: SecretFile, text: string): string;
  /** The path of a secret's file; null if there is none. */
  secretFile(name: SecretFile): string | null;
  release(): void;
}

function homeInUse(folder: string): Error {
  const run = readRunFile(folder);
  const who = run ? ` (process ${run.pid}, ${run.apiUrl})` : '';
  return new Error(
    `${folder} is in use by another \`docent start\`${who}. Stop it, or choose another folder with --home.`,
  );
}

/** `.docent` in a checkout of Docent, else `~/.docent`. */
export function defaultHome(): string {
  const packageFolder = path.join(path.dirname(fileURLToPath(import.meta.url)), '..', '..');
  const isCheckout = existsSync(path.join(packageFolder, 'src', 'cli', 'main.ts'));
  return isCheckout ? path.join(packageFolder, '.docent') : path.join(homedir(), '.docent');
}

/**
 * Creates and locks the folder until `release` or death.
 * @param operatorToken to store; default: the stored one, or a new one
 * @throws Error with a sentence if it is in use or unusable
 */
export function openHome(folder: string, operatorToken?: string): Home {
  const inHome = (...names: string[]) => path.join(folder, ...names);
  let lock;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // As root, the embedded PostgreSQL runs as another user, who must be able to pass through.
    if (process.getuid?.() === 0) chmodSync(folder, 0o711);
    lock = tryLock(inHome('lock'));
  } catch (err) {
    throw new Error(`${folder} cannot be used as the home of Docent: ${messageOf(err)}`, { cause: err });
  }
  if (!lock) throw homeInUse(folder);
  // Left over from a killed owner: nothing runs yet.
  const removeRunFile = () => {
    for (const name of ['run.json', 'sign-in-link']) rmSync(inHome(name), { force: true });
  };
  removeRunFile();
  for (const name of ['temporal', 'cache', 'logs']) mkdirSync(inHome(name), { recursive: true, mode: 0o700 });
  ensureOperatorToken(inHome('operator-token'), operatorToken);
  ensureSecretKey(inHome('secret-key'));

  const readState = () => readJson(HomeState, inHome('state.json')) ?? {};
  return {
    folder,
    postgresFolder: inHome('postgres'),
    temporalFolder: inHome('temporal'),
    cacheFolder: inHome('cache'),
    demoRepository: inHome('demo-docs'),
    processesFile: inHome('processes.json'),
    logFile: inHome('logs', 'docent.log'),
    operatorTokenFile: inHome('operator-token'),
    secretKeyFile: inHome('secret-key'),
    readOperatorToken: () => readOperatorToken(folder) ?? '',
    readState,
    updateState: (change) => {
      const before = toJson(readState());
      const after = toJson({ ...readState(), ...change });
      // A start only writes what it must: the disk may be full.
      if (after !== before) writeWhole(inHome('state.json'), after);
    },
    writeRunFile: (run) => writeWhole(inHome('run.json'), toJson({ home: realpathSync(folder), ...run })),
    removeRunFile,
    writeSecret: (name, text) => {
      writeWhole(inHome(name), `${text}\n`);
      return inHome(name);
    },
    secretFile: (name) => (existsSync(inHome(name)) ? inHome(name) : null),
    release: () => lock.release(),
  };
}

/** The run file of the `docent start` on exactly this home, or null. It may have been killed since. */
export function readRunFile(folder: string): RunFile | null {
  const found = readJson(RunFile, path.join(folder, 'run.json'));
  return found && found.home === realpathSync(folder) ? found : null;
}

/** The token that `docent start` made for this home, or null. */
export function readOperatorToken(folder: string): string | null {
  try {
    return readFileSync(path.join(folder, 'operator-token'), 'utf8').trim() || null;
  } catch {
    return null;
  }
}

function ensureOperatorToken(file: string, given: string | undefined): void {
  if (given === undefined && existsSync(file)) chmodSync(file, 0o600);
  else writeWhole(file, `${given ?? randomBytes(32).toString('base64url')}\n`);
}

function ensureSecretKey(file: string): void {
  if (existsSync(file)) chmodSync(file, 0o600);
  else writeWhole(file, `${randomBytes(32).toString('base64')}\n`);
}

function readJson<T>(schema: z.ZodType<T>, file: string): T | null {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null; // Absent, or damaged.
  }
}

const toJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/** Readers see the old text or the new one, never a part. */
function writeWhole(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
