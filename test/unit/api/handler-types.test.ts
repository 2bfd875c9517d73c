import { expect, test } from 'vitest';
import type { Handler, Handlers } from '../../../src/api/contract/handler.ts';
import { handlers } from '../../../src/api/routes/routes.ts';
import type { operations } from '@docent/client';

// Checked by the type checker: each line below that must not compile is marked.

const body = { status: 'ok' } as const;
const right: Handler<'getHealth'> = async () => ({ status: 200, body });
// @ts-expect-error an undocumented status
const wrongStatus: Handler<'getHealth'> = async () => ({ status: 201, body });
// @ts-expect-error a body of another shape
const wrongBody: Handler<'getHealth'> = async () => ({ status: 200, body: { status: 'fine' } });
// @ts-expect-error no body
const noBody: Handler<'getHealth'> = async () => ({ status: 200 });
// @ts-expect-error JSON where the contract says a page
const wrongType: Handler<'showPullRequest'> = async () => ({ status: 200, body: {} });

const withoutGetJob = ({ getJob: _left, ...rest }: Handlers) => rest;
// @ts-expect-error an operation without a handler
const incomplete: Handlers = withoutGetJob(handlers);

const inputs: Handler<'listJobs'> = async ({ path, query }) => {
  const id: string = path.projectId;
  const limit: number = query.limit;
  const cursor: string | undefined = query.cursor;
  // @ts-expect-error a parameter that may be missing
  const certain: string = query.cursor;
  // @ts-expect-error a parameter that is not documented
  const unknown: unknown = query.offset;
  return { status: 200, body: { jobs: [], nextCursor: [id, limit, cursor, certain, unknown].join() } };
};

const defaulted: Handler<'createKey'> = async ({ body: key }) => {
  const scopes: string[] = key.scopes;
  const days: number | null = key.expiresInDays;
  throw new Error([scopes, days].join());
};

/** Every operation has a handler, and no other. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
const sameOperations: Same<keyof Handlers, keyof operations> = true;

test('handlers that break the contract do not compile', () => {
  const compiled = [right, wrongStatus, wrongBody, noBody, wrongType, inputs, defaulted, sameOperations];
  expect(compiled).toHaveLength(8);
  expect(incomplete).not.toHaveProperty('getJob');
});
