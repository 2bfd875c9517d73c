import type { Handler } from '../contract/handler.ts';

export const getHealth: Handler<'getHealth'> = async () => ({ status: 200, body: { status: 'ok' } });
