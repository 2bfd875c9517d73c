/**
 * How long tests wait for something that has to happen, in ms: a little less than the time-out of their
 * project, so that they fail with what they waited for. vitest.config.ts sets it for each project.
 */
export const PATIENCE_MS = Number(process.env.DOCENT_TEST_PATIENCE_MS ?? 50_000);
