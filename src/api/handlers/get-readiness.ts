import type { Handler } from '../contract/handler.ts';

export const getReadiness: Handler<'getReadiness'> = async ({ request }, { readiness }) => {
  const { temporal, database, damagedFiles } = await readiness();
  if (temporal && database) {
    return { status: 200, body: { status: 'ready', temporal, database, ...(damagedFiles ? { damagedFiles } : {}) } };
  }
  const missing = [...(temporal ? [] : ['Temporal']), ...(database ? [] : ['the database'])].join(' and ');
  request.errorCode = 'unavailable';
  return {
    status: 503,
    headers: { 'Retry-After': '5' },
    body: {
      error: `Not ready: ${missing} cannot be reached.`,
      code: 'unavailable',
      requestId: request.id,
      temporal,
      database,
    },
  };
};
