/**
 * The environment of PostgreSQL and Temporal. Nothing of the caller's: its PG… and TEMPORAL_… variables are
 * for clients.
 */
export const PROGRAM_ENVIRONMENT: NodeJS.ProcessEnv = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' };
