import type { AddressInfo } from 'node:net';
import { Router } from '@koa/router';
import Koa from 'koa';

/** A minimal API in Koa: one route, one JSON answer from memory. */
const answer: unknown = JSON.parse(process.env.BENCH_ANSWER ?? '{}');
const router = new Router();
router.get('/v2/agent/:projectId/job/:id', (context) => {
  context.body = answer;
});
const server = new Koa().use(router.routes()).listen(0, '127.0.0.1', () => {
  process.send?.((server.address() as AddressInfo).port);
});
