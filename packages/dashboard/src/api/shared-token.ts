/**
 * The token of the share link that this page was opened with; null everywhere else. It wins over a cookie.
 */
export const sharedToken: { current: string | null } = { current: null };
