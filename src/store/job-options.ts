/** `preview`: held back until somebody publishes them. `ask`: there are none. `push`: straight to the base branch. */
export const JOB_MODES = ['pull-request', 'preview', 'ask', 'push'] as const;
export type JobMode = (typeof JOB_MODES)[number];

/**
 * What a job was created with beside its prompt, as `options` of its row holds it. Absent: as the project or the installation says.
 * What listings look at has columns of its own: title, model, base branch and metadata.
 */
export interface JobOptions {
  /** What becomes of its changes; absent: a pull request. */
  mode?: JobMode;
  /** Whether its pull requests are drafts. */
  draft?: boolean;
}

/** A client's own words about a job, told back as they were given. */
export type JobMetadata = Record<string, string>;

export function modeOf({ options }: { options: JobOptions }): JobMode {
  return options.mode ?? 'pull-request';
}
