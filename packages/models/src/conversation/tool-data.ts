import { z } from 'zod';

/** Why an occurrence was left alone, in the order of the report. */
export const LEFT_REASONS = ['code', 'markup', 'links', 'longer words', 'other blanks'] as const;
export type LeftReason = (typeof LEFT_REASONS)[number];

/** The first of a list, and how many it has. */
const some = z.object({ first: z.array(z.string()), count: z.int() });

/** The beginning of the shown blob's id. It changes with the file. */
const version = z.string();

/** The consequences of a moved or deleted file. */
const consequences = {
  /** Such as "3 links updated". */
  notes: z.array(z.string()),
  /** What a person must do: navigation in code, redirects of the web server. Without a full stop. */
  toDo: some,
};

/**
 * The outcome of a call for programs, which do not read its text. It has only the fields that one of them
 * needs: it is stored in the transcript beside the text, and must not repeat a page's text. Paths are
 * relative to the repository.
 */
export const toolDataSchema = z.discriminatedUnion('tool', [
  z.object({
    tool: z.literal('list'),
    site: z.object({
      /** Whether a site generator was detected. */
      configured: z.boolean(),
      /** The extension of most pages. */
      extension: z.enum(['.md', '.mdx']),
      titles: z.enum(['front matter', 'headings']),
    }),
    /** Files that match the glob; null without one. */
    matches: z.int().nullable(),
    /**
     * Folders whose files were named, the first of them. `whole`: all their files and folders were. Absent
     * before 0.2.0.
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
    /** The ranked pages, best first, each with its best section's line; absent without ranking. */
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
    /** The positions of the page's title in the shown lines. */
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
    /** With a refusal, 0: the text was found, but none of it may be replaced. */
    replaced: z.int(),
    /** Occurrences that were left alone. */
    left: z.partialRecord(z.enum(LEFT_REASONS), z.int()),
    /** Pages that could not be searched, in sentences; only the first ones. */
    unread: z.array(z.string()).optional(),
  }),
  z.object({
    tool: z.literal('write'),
    path: z.string(),
    /** The changes, in sentences. */
    report: z.string(),
  }),
  z.object({
    tool: z.literal('move'),
    /** For a folder, its own path. */
    from: z.string(),
    to: z.string(),
    /** Files of the folder; null if one file was to move. */
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
    /** Why it is not known where links lead, in a sentence; null if it is. */
    doubt: z.string().nullable(),
    /** Problems in files outside the writable folder. */
    elsewhere: z.object({ problems: z.int(), docsDir: z.string(), files: some }).nullable(),
  }),
  z.object({
    tool: z.literal('amend'),
    path: z.string(),
    /** Consequences, such as updated links. */
    notes: z.array(z.string()),
  }),
  z.object({
    tool: z.literal('arrange'),
    /** The change, in the past tense and without a full stop. */
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
    /** The listed folder as `source:path`; null for the list of sources. */
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
    tool: z.literal('web_read'),
    /** After redirects. */
    url: z.string(),
    /** First and last line that were shown, and how many there are. */
    lines: z.object({ first: z.int(), last: z.int(), of: z.int() }),
  }),
  z.object({
    tool: z.literal('undo'),
    /** The turn whose change was undone; null if it was not published yet. */
    turn: z.int().nullable(),
    files: some,
  }),
]);

export type ToolData = z.infer<typeof toolDataSchema>;

export type DataOf<Tool extends ToolData['tool']> = Extract<ToolData, { tool: Tool }>;
