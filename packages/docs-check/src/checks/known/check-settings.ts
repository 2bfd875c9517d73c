import { findNodeAtLocation, getNodeValue, type Node } from 'jsonc-parser';
import type { z } from 'zod';
import { folderOf } from '../../read/folder.ts';
import { compileGlob } from '@docent/base/glob';
import { parseJsonSource, propertyOf } from '../../read/json-source.ts';
import { below, inRepository } from '../../read/repository-path.ts';
import { clearlyNearest } from '../../read/similar-text.ts';
import { TextLines } from '../../read/text-lines.ts';
import { externalSettings, type ExternalSettings } from '../external/external-settings.ts';
import type { Problem } from '../problem.ts';
import { NOTHING_ASKED, type AskedRules } from '../style/asked-rules.ts';
import { askedOf } from './asked-of-settings.ts';
import { externalForm, settingsForm, type Level, type SettingsForm } from './settings-form.ts';

export const SETTINGS_FILE = '.docent.json';
export const BASELINE_FILE = '.docent-baseline.json';
const MAX_CHARACTERS = 1_000_000;

/** The part of a repository that is needed to read them. A `DocsSite` is one. */
export interface SettingsSource {
  exists(path: string): boolean;
  readText(path: string): string | null;
}

/** A repository's settings for its docs checks. */
export interface CheckSettings {
  /** The settings file; null if there is none. */
  path: string | null;
  levels: ReadonlyMap<string, Level>;
  /** Rules that are off by default and should be checked. */
  asked: AskedRules;
  /** Whether problems in a file are reported. */
  reports: (path: string) => boolean;
  /** The path of the baseline, whether it exists or not. */
  baselinePath: string;
  helpUrl: string | null;
  external: ExternalSettings;
  /** Mistakes in the file, with their positions; invalid settings are ignored. */
  problems: Problem[];
}

/**
 * The settings of the docs in a folder: from the first `.docent.json`, or package.json with a key `docent`,
 * from there upwards; else from the site's own folder.
 * @param docsDir from the top of the repository, as `siteRoot`
 */
export function readCheckSettings(files: SettingsSource, docsDir: string, siteRoot: string): CheckSettings {
  const folders = foldersUpwards([docsDir, siteRoot]);
  const [first] = settingsIn(files, folders);
  if (first) return settingsOf(first);
  const beside = folders.find((folder) => files.exists(inside(folder, BASELINE_FILE))) ?? docsDir;
  return {
    path: null,
    levels: new Map(),
    asked: NOTHING_ASKED,
    reports: () => true,
    baselinePath: inside(beside, BASELINE_FILE),
    helpUrl: null,
    external: externalSettings(),
    problems: [],
  };
}

/** All settings in these folders and above them, the nearest first. Invalid ones are left out. */
export function settingsUpwards(files: SettingsSource, folders: readonly string[]): { form: SettingsForm }[] {
  return [...settingsIn(files, foldersUpwards(folders))];
}

/** For each folder, its `.docent.json`, or the key `docent` of its package.json. */
function* settingsIn(files: SettingsSource, folders: readonly string[]): Generator<SettingsFile> {
  for (const folder of folders) {
    for (const name of [SETTINGS_FILE, 'package.json']) {
      const path = inside(folder, name);
      const text = files.exists(path) ? files.readText(path) : null;
      if (text === null || text.length > MAX_CHARACTERS) continue;
      const said = readSettings(path, text);
      if (!said) continue;
      yield said;
      break;
    }
  }
}

interface SettingsFile {
  path: string;
  form: SettingsForm;
  problems: Problem[];
  at: (path: readonly PropertyKey[]) => { path: string; line: number; column: number };
}

/** Null if a package.json has no such key. */
function readSettings(path: string, text: string): SettingsFile | null {
  const isPackage = !path.endsWith(SETTINGS_FILE);
  const source = parseJsonSource(path, text);
  const root = isPackage ? propertyOf(source.root, 'docent') : source.root;
  if (isPackage && !root) return null;
  const lines = new TextLines(text);
  const placeOf = (node: Node | undefined) => ({ path, ...lines.placeOf(node?.offset ?? 0) });
  const at = (keys: readonly PropertyKey[]) => placeOf(root && keyNode(root, keys.map(keyOf)));
  if (source.problem) {
    const place = { path, ...lines.placeOf(source.problem.offset) };
    return { path, form: {}, problems: [invalid(place, source.problem.message)], at };
  }
  const value: unknown = root && getNodeValue(root);
  const result = settingsForm.safeParse(value);
  if (result.success) return { path, form: result.data, problems: [], at };
  const issues = result.error.issues.flatMap(innermost);
  return { path, form: usable(value, issues), problems: issues.flatMap((issue) => issueProblems(issue, at)), at };
}

/** If an object or something simple is allowed, an object's own mistakes are reported. */
function innermost(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const forms = issue.errors.map((some) => some.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })));
  const own = forms.find(
    (some) => !some.some((inner) => inner.code === 'invalid_type' && inner.path.length === issue.path.length),
  );
  return own
    ? own.flatMap(innermost)
    : [{ ...issue, code: 'invalid_type', expected: FORMS[String(issue.path[0])] as 'object' }];
}

/** Valid settings apply in spite of other mistakes: a mistake in one rule does not re-enable another. */
function usable(value: unknown, issues: readonly z.core.$ZodIssue[]): SettingsForm {
  if (issues.some(({ path }) => path.length === 0) && !isObject(value)) return {};
  const copy = structuredClone(value) as Record<PropertyKey, unknown>;
  for (const issue of issues) {
    const [last, parent] = [issue.path.at(-1), issue.path.slice(0, -1)];
    if (issue.code === 'unrecognized_keys') for (const key of issue.keys) remove(copy, [...issue.path, key]);
    else if (last !== undefined) remove(copy, [...parent, last]);
  }
  const again = settingsForm.safeParse(copy);
  return again.success ? again.data : {};
}

function remove(value: Record<PropertyKey, unknown>, path: readonly PropertyKey[]): void {
  let holder: unknown = value;
  // A list is dropped completely: fewer globs would mean something else.
  const keys = path.slice(0, path.findIndex((key) => typeof key === 'number') >>> 0);
  for (const key of keys.slice(0, -1)) holder = isObject(holder) ? holder[key] : undefined;
  if (isObject(holder)) delete holder[keys.at(-1)!];
}

function isObject(value: unknown): value is Record<PropertyKey, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function settingsOf({ path, form, problems, at }: SettingsFile): CheckSettings {
  const folder = folderOf(path);
  const compiled = (glob: string, ...keys: PropertyKey[]) => {
    try {
      return [compileGlob(glob)];
    } catch (thrown) {
      if (!(thrown instanceof RangeError)) throw thrown;
      problems.push(invalid(at(keys), `${thrown.message.replace(/\.$/, '')}: ${JSON.stringify(glob)}`));
      return [];
    }
  };
  const globs = (key: 'include' | 'exclude') => (form[key] ?? []).flatMap((glob, i) => compiled(glob, key, i));
  const [include, exclude] = [globs('include'), globs('exclude')];
  const wrongGlob = (i: number, message: string) =>
    problems.push(invalid(at(['external', 'exclude', i]), message.replace(/\.$/, '')));
  const external = externalSettings(form.external, wrongGlob);
  const matches = (all: typeof include, file: string) => {
    const inFolder = below(file, folder);
    return inFolder !== null && all.some((matchesGlob) => matchesGlob(inFolder));
  };
  const levels = new Map(Object.entries(form.rules ?? {}).flatMap(([code, level]) => (level ? [[code, level]] : [])));
  const asked = askedOf(form, levels, (glob) => {
    const all = compiled(glob, 'requiredFrontMatter', glob);
    return (file) => matches(all, file);
  });
  if (asked.codes.has('required-front-matter') && form.requiredFrontMatter === undefined) {
    const place = at(['rules', 'required-front-matter']);
    problems.push(invalid(place, '"required-front-matter" is on, but "requiredFrontMatter" lists no fields'));
  }
  const baseline = inRepository(folder, form.baseline ?? BASELINE_FILE);
  if (baseline === null || baseline === '') {
    problems.push(invalid(at(['baseline']), 'the baseline must be a file in the repository'));
  }
  return {
    path,
    levels,
    asked,
    reports: (file) => (include.length === 0 || matches(include, file)) && !matches(exclude, file),
    baselinePath: baseline || inside(folder, BASELINE_FILE),
    helpUrl: form.helpUrl?.replace(/\/+$/, '') ?? null,
    external,
    problems: problems.toSorted((a, b) => a.line - b.line || (a.column ?? 0) - (b.column ?? 0)),
  };
}

function issueProblems(issue: z.core.$ZodIssue, at: SettingsFile['at']): Problem[] {
  const name = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    const known = keysAt(issue.path);
    return issue.keys.map((key) => {
      const near = clearlyNearest(key, known, 0.6, 0.05);
      const hint = near === null ? `Valid values: ${known.join(', ')}` : `Did you mean ${JSON.stringify(near)}?`;
      const what = name === 'rules' ? 'Unknown rule' : 'Unknown setting';
      return invalid(at([...issue.path, key]), `${what} ${JSON.stringify(key)}. ${hint}`, near ?? undefined);
    });
  }
  const place = at(issue.path);
  const what = name === '' ? 'it' : JSON.stringify(name);
  if (issue.code === 'invalid_value')
    return [invalid(place, `${what} must be one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`)];
  if (issue.code === 'invalid_type')
    return [invalid(place, `${what} must be ${TYPES[issue.expected] ?? issue.expected}`)];
  if (issue.code === 'invalid_format')
    return [invalid(place, `${what} must be an address such as https://docent.example.com/docs`)];
  return [invalid(place, `${what} is not valid: ${issue.message}`)];
}

/** The allowed values of settings with several forms. */
const FORMS: Record<string, string> = {
  external: 'true, false, or an object { … }',
  requiredFrontMatter: 'a list of names, or an object that maps globs to such lists',
};
const TYPES: Record<string, string> = { object: 'an object { … }', array: 'a list [ … ]', string: 'a text in quotes' };

function keysAt(path: readonly PropertyKey[]): string[] {
  const { shape } = settingsForm;
  if (path[0] === 'external') return Object.keys(externalForm.shape);
  return Object.keys(path[0] === 'rules' ? shape.rules.unwrap().shape : shape);
}

function invalid(place: Omit<Problem, 'code' | 'message' | 'severity'>, message: string, suggestion?: string): Problem {
  const sentence = `${place.path} is not valid: ${message}`.replace(/(?<![.?])$/, '.');
  return { ...place, code: 'config-invalid', message: sentence, severity: 'error', ...(suggestion && { suggestion }) };
}

/** The property's own name if it exists, else the nearest node around it. */
function keyNode(root: Node, path: (string | number)[]): Node {
  for (let length = path.length; length > 0; length--) {
    const node = findNodeAtLocation(root, path.slice(0, length));
    if (node) return node.parent?.type === 'property' ? (node.parent.children?.[0] ?? node) : node;
  }
  return root;
}

function keyOf(key: PropertyKey): string | number {
  return typeof key === 'number' ? key : String(key);
}

function inside(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

function foldersUpwards(folders: readonly string[]): string[] {
  return [...new Set(folders.flatMap(upwards))];
}

function upwards(folder: string): string[] {
  return folder === '' ? [''] : [folder, ...upwards(folderOf(folder))];
}
