import { AppError } from '../../platform/errors.ts';
import { createToken } from '../../store/access/access-tokens.ts';
import type { KeyRow } from '../../store/access/keys.ts';
import {
  createShareLink as create,
  deleteShareLink as remove,
  findShareLink,
  hashPassword,
  isPassword,
  listShareLinks as list,
} from '../../store/access/share-links.ts';
import type { Handler } from '../contract/handler.ts';
import type { components } from '@docent/client';
import { type ApiServices } from '../services.ts';
import { expiryIn } from './keys.ts';
import { deleteNowAndThen } from './tokens.ts';
import { requireProject } from '../../store/projects/projects.ts';
import { answerOnce, shownOnce } from '../middleware/idempotency.ts';

/** After it, a page exchanges its link again. */
const TOKEN_SECONDS = 12 * 3_600;

export const listShareLinks: Handler<'listShareLinks'> = async ({ path: { projectId } }, { db }) => {
  await requireProject(db, projectId);
  return { status: 200, body: { shareLinks: (await list(db, projectId)).map(present) } };
};

export const createShareLink: Handler<'createShareLink'> = async ({ path, body, request }, services) => {
  const { projectId } = path;
  const password = body.password === null ? null : await hashPassword(body.password);
  return answerOnce(request, services, projectId, async (tx) => {
    const { row, secret } = await create(tx, {
      projectId,
      name: body.name,
      expiresAt: expiryIn(body.expiresInDays),
      password,
    });
    // Behind the #, where browsers keep it to themselves: it comes into no log of a server or proxy.
    return {
      status: 201 as const,
      ...shownOnce(services.urlOf(`/shared#${secret}`), (url) => ({ ...present(row), url })),
    };
  });
};

export const deleteShareLink: Handler<'deleteShareLink'> = async ({ path }, { db }) => {
  const { projectId, shareLinkId: id } = path;
  if (await remove(db, { projectId, id })) return { status: 204 };
  throw new AppError('share_link_not_found', `Share link ${id} does not exist in this project.`);
};

export const openShareLink: Handler<'openShareLink'> = async ({ body, request }, services) => {
  const { db, limits, config } = services;
  const address = services.addressOf(request.incoming);
  const link = await findShareLink(db, body.secret);
  if (!link) throw limits.failedSignIns.failed(address, unknownLink());
  // All attempts count, even right ones: a password can be guessed.
  takeTurn(services, link.id, address);
  if (link.linkPassword) await refuseWrongPassword(body.password, link.linkPassword);
  const [projectId = ''] = link.projectIds ?? [];
  request.audit.concerns = { projectId, shareLinkId: link.id };
  await services.audit.begin(request, address);
  const { row, text } = await createToken(
    db,
    { key: link, secretHash: link.hash, former: null },
    {
      scopes: link.scopes,
      projectId,
      jobId: null,
      origin: null,
      expiresInSeconds: TOKEN_SECONDS,
      prefix: config.keyPrefix,
    },
  );
  deleteNowAndThen(services);
  request.log.info({ shareLinkId: link.id, projectId }, 'a share link was opened');
  return { status: 200, body: { projectId, name: link.name, token: text, expiresAt: row.expiresAt.toISOString() } };
};

/** @throws AppError `rate_limited` */
function takeTurn({ limits }: ApiServices, id: string, address: string | null): void {
  const sentence = 'Rate limit reached: share links were opened too often. Wait, then try again.';
  limits.sharePerAddress.pass('share-links', address ?? '', sentence);
  limits.sharePerLink.pass('share-links', id, sentence);
}

/** @throws AppError `password_required` */
async function refuseWrongPassword(password: string | undefined, stored: Buffer): Promise<void> {
  if (password === undefined) throw new AppError('password_required', 'This share link requires a password.');
  if (await isPassword(password, stored)) return;
  throw new AppError('password_required', 'The password is wrong. Ask the person who shared the link.');
}

function unknownLink(): AppError {
  return new AppError(
    'share_link_not_found',
    'This share link is unknown, was deleted or has expired. Ask for a new one.',
  );
}

const present = (row: KeyRow): components['schemas']['ShareLink'] => ({
  id: row.id,
  name: row.name,
  hasPassword: row.linkPassword !== null,
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt?.toISOString() ?? null,
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
});
