/**
 * How often something random is tried in a run: `often`, or as many times that as DOCENT_TEST_TIMES says.
 * Each run tries other things, and every night many more of them.
 */
export const times = (often: number): number => Math.ceil(often * Number(process.env.DOCENT_TEST_TIMES ?? 1));
