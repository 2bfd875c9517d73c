/** For PostgreSQL and Temporal, without the caller's PG… and TEMPORAL_… variables, which are for clients. */
export const PROGRAM_ENVIRONMENT: NodeJS.ProcessEnv = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' };
