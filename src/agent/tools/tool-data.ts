import { z } from 'zod';
import { LEFT_REASONS } from './replaceable.ts';

/** The first of a list, and how many it has. */
const some = z.object({ first: z.array(z.string()), count: z.int() });

/** The beginning of the blob id of what was shown: another once the file was changed. */
const version = z.string();

/** What a moved or deleted file took along. */
const consequences = {
  /** Such as "3 links updated". */
  notes: z.array(z.string()),
  /**
   * What is left to a person: entries of a navigation that is code, redirects that the web server makes.
   * Without a full stop.
   */
  toDo: some,
};

/**
 * What a call came to, for programs that act on it without reading its words. It has what one of them needs
 * and no more: it is kept in the transcript beside the text, and must not hold a page's text once again.
 * Paths are as the repository has them.
 */
export const toolDataSchema = z.discriminatedUnion('tool', [
  z.object({
    tool: z.literal('list'),
    site: z.object({
      /** Whether a site generator makes it. */
      configured: z.boolean(),
      /** What most pages end with. */
      extension: z.enum(['.md', '.mdx']),
      titles: z.enum(['front matter', 'headings']),
    }),
    /** Files that match the glob; null without one. */
    matches: z.int().nullable(),
    /**
     * Folders of which files were named, the first of them. `whole`: all files and folders in them were.
     * Absent before 0.2.0.
     */
    folders: z.object({ paths: z.array(z.string()), whole: z.boolean() }).optional(),
  }),
  z.object({
    tool: z.literal('search'),
    /** Lines with a match, shown or not. */
    matches: z.int(),
    /** Files with a match, and the first lines that were shown. Absent before 0.2.0. */
    files: z.int().optional(),
    hits: z.array(z.object({ path: z.string(), version, lines: z.array(z.int()) })).optional(),
    /**
     * The ranked pages that were shown, best first, each with the line of its best section; absent where
     * nothing was ranked.
     */
    ranked: z.array(z.object({ path: z.string(), line: z.int() })).optional(),
  }),
  z.object({
    tool: z.literal('read'),
    path: z.string(),
    /**
     * First and last line that were shown, and how many there are; all 0 for an empty file. Absent before
     * 0.2.0.
     */
    lines: z.object({ version, first: z.int(), last: z.int(), of: z.int() }).optional(),
    /** Where the lines that were shown say the page's title. */
    titles: z.array(
      z.object({
        place: z.enum(['front matter', 'heading']),
        /** One line, or a heading with the line under it. */
        lines: z.array(z.string()),
        /** The lines next to it, if there are. */
        before: z.array(z.string()),
        after: z.array(z.string()),
      }),
    ),
  }),
  z.object({
    tool: z.literal('edit'),
    /** With a refusal, 0: the text was looked for, and nothing of it may be replaced. */
    replaced: z.int(),
    /** Occurrences that were left alone. */
    left: z.partialRecord(z.enum(LEFT_REASONS), z.int()),
  }),
  z.object({
    tool: z.literal('write'),
    path: z.string(),
    /** What was done, in sentences. */
    report: z.string(),
  }),
  z.object({
    tool: z.literal('move'),
    /** Of a folder, its own path. */
    from: z.string(),
    to: z.string(),
    /** Files of the folder; null where one file was to move. */
    files: z.int().nullable(),
    ...consequences,
  }),
  z.object({
    tool: z.literal('delete'),
    path: z.string(),
    ...consequences,
    /** Links that are left, each as `path:line`. */
    stillLinked: some,
  }),
  z.object({
    tool: z.literal('check'),
    /** Those that the text lists. */
    problems: z.array(
      z.object({
        path: z.string(),
        code: z.string(),
        target: z.string().optional(),
        suggestion: z.string().optional(),
      }),
    ),
    /** Why it is not known where links lead, in a sentence; null where it is. */
    doubt: z.string().nullable(),
    /** Problems in files outside the folder that may be changed. */
    elsewhere: z.object({ problems: z.int(), docsDir: z.string(), files: some }).nullable(),
  }),
  z.object({
    tool: z.literal('amend'),
    path: z.string(),
    /** What followed, such as links that were updated. */
    notes: z.array(z.string()),
  }),
  z.object({
    tool: z.literal('arrange'),
    /** What was done, in the past tense and without a full stop. */
    report: z.string(),
    notes: z.array(z.string()),
  }),
  z.object({
    tool: z.literal('redirect'),
    from: z.string(),
    to: z.string(),
    /** The file that has it. */
    path: z.string(),
  }),
  z.object({
    tool: z.literal('place'),
    path: z.string(),
    /** The attachment's. */
    name: z.string(),
  }),
  z.object({
    tool: z.literal('sources_list'),
    sources: z.array(z.object({ name: z.string(), repository: z.string(), commit: z.string().nullable() })),
    /** What was listed, as `source:path`; null for the sources themselves. */
    folder: z.string().nullable(),
  }),
  z.object({
    tool: z.literal('sources_search'),
    files: z.int(),
    hits: z.array(z.object({ source: z.string(), path: z.string(), commit: z.string(), lines: z.array(z.int()) })),
  }),
  z.object({
    tool: z.literal('sources_read'),
    source: z.string(),
    repository: z.string(),
    commit: z.string(),
    path: z.string(),
    /** First and last line that were shown, and how many there are; all 0 for an empty file. */
    lines: z.object({ first: z.int(), last: z.int(), of: z.int() }),
  }),
  z.object({
    tool: z.literal('undo'),
    /** The turn whose change was taken back; null where it was not published yet. */
    turn: z.int().nullable(),
    files: some,
  }),
]);

export type ToolData = z.infer<typeof toolDataSchema>;

/** The data of one tool. */
export type DataOf<Tool extends ToolData['tool']> = Extract<ToolData, { tool: Tool }>;
