import { z } from 'zod';
import { AddressRefused } from '@docent/base/net/address-guard';
import { createGuardedFetch, type GuardedFetch } from '@docent/base/net/guarded-fetch';
import { networkReason } from '@docent/base/net/network-reason';
import type { CommitRequest, Endpoint } from '../contract.ts';
import type { BaseTree, OverlayEntry } from '@docent/base/files/base-tree';
import { RepositoryProblem } from '../repository-problem.ts';
import type { ExchangeOptions } from '../transport/transport.ts';
import { lfsPaths } from './attributes.ts';
import { isPointer, lfsObject, pointerTo, type LfsObject } from './pointer.ts';

type HttpEndpoint = Extract<Endpoint, { kind: 'http' }>;

const JSON_TYPE = 'application/vnd.git-lfs+json';
const MAX_ANSWER_BYTES = 4 * 1_048_576;
const MAX_REASON = 200;

const action = z.object({ href: z.string(), header: z.record(z.string(), z.string()).optional() });
const batchAnswer = z.object({
  transfer: z.string().optional(),
  objects: z.array(
    z.object({
      oid: z.string(),
      error: z.object({ code: z.number(), message: z.string().optional() }).optional(),
      actions: z.object({ upload: action.optional(), verify: action.optional() }).optional(),
    }),
  ),
});
type Action = z.infer<typeof action>;

/**
 * Uploads changed files at paths of Git LFS, and returns the changes with pointers instead. Safe to repeat:
 * the server names what it lacks. The API is that of
 * https://github.com/git-lfs/git-lfs/blob/main/docs/api/batch.md, with the transfer `basic`.
 * @throws RepositoryProblem `unreachable` if it may be temporary, else final: the host has no LFS, no space,
 *   or does not accept the file's size
 */
export async function uploadToLfs(
  endpoint: Endpoint,
  parent: Pick<BaseTree, 'files' | 'file' | 'readText'>,
  { changes, blobs, branch }: Pick<CommitRequest, 'changes' | 'blobs' | 'branch'>,
  options: ExchangeOptions,
): Promise<OverlayEntry[]> {
  const inLfs = lfsPaths(parent);
  const contents = new Map<string, Uint8Array>();
  const replaced = changes.map((change): OverlayEntry => {
    const content = inLfs(change.path) ? contentOf(change, blobs) : null;
    if (content === null) return change;
    const object = lfsObject(content);
    contents.set(object.oid, content);
    return { path: change.path, content: pointerTo(object), blobId: null };
  });
  if (contents.size === 0) return replaced;
  if (endpoint.kind !== 'http') throw new RepositoryProblem('repository_unsupported', NO_SERVER);
  if (/^\s*(?:lfs)?url\s*=/im.test(parent.file('.lfsconfig') ? (parent.readText('.lfsconfig') ?? '') : '')) {
    throw new RepositoryProblem(
      'repository_unsupported',
      'The repository’s .lfsconfig uses another server for Git LFS, for which Docent has no credential. Use a path that is not in Git LFS.',
    );
  }
  await new LfsServer(endpoint, options).upload(contents, `refs/heads/${branch}`);
  return replaced;
}

const NO_SERVER = 'Local repositories have no Git LFS server. Use a path that is not in Git LFS.';

/** Null for deletions, moved pointers, and files of the base. */
function contentOf({ content, blobId }: OverlayEntry, blobs: CommitRequest['blobs']): Uint8Array | null {
  if (content !== null) return isPointer(content) ? null : Buffer.from(content);
  return (blobId !== null && blobs?.get(blobId)) || null;
}

class LfsServer {
  readonly #base: URL;
  readonly #headers: Record<string, string>;
  readonly #fetch: GuardedFetch;
  readonly #signal: AbortSignal | undefined;

  constructor({ url, headers, privateHosts }: HttpEndpoint, { signal, limits }: ExchangeOptions) {
    const base = new URL(url);
    base.username = '';
    base.password = '';
    base.pathname = `${base.pathname.replace(/\/+$/, '').replace(/(?:\.git)?$/, '.git')}/info/lfs`;
    this.#base = base;
    this.#headers = headers;
    this.#signal = signal;
    this.#fetch = createGuardedFetch({
      allowed: privateHosts,
      timeoutMs: limits.totalMs,
      maxBytes: MAX_ANSWER_BYTES,
    });
  }

  async upload(contents: ReadonlyMap<string, Uint8Array>, ref: string): Promise<void> {
    const objects = [...contents].map(([oid, { length }]): LfsObject => ({ oid, size: length }));
    const answer = await this.#batch(objects, ref);
    for (const object of objects) {
      const entry = answer.objects.find(({ oid }) => oid === object.oid);
      if (!entry) throw this.#problem('unreachable', 'does not answer for every file');
      if (entry.error) throw this.#refusal(entry.error.code, entry.error.message ?? '');
      const { upload, verify } = entry.actions ?? {};
      // Without an action, the server has the file.
      if (upload)
        await this.#act(upload, { method: 'PUT', body: contents.get(object.oid)!, type: 'application/octet-stream' });
      if (verify) await this.#act(verify, { method: 'POST', body: JSON.stringify(object), type: JSON_TYPE });
    }
  }

  async #batch(objects: readonly LfsObject[], ref: string): Promise<z.infer<typeof batchAnswer>> {
    const asked = { operation: 'upload', transfers: ['basic'], ref: { name: ref }, objects, hash_algo: 'sha256' };
    const response = await this.#send(new URL(`${this.#base.href}/objects/batch`), {
      method: 'POST',
      body: JSON.stringify(asked),
      headers: { ...this.#headers, accept: JSON_TYPE, 'content-type': JSON_TYPE },
    });
    const text = await this.#textOf(response);
    if (response.status !== 200) throw this.#refusal(response.status, messageIn(text));
    const answer = batchAnswer.safeParse(jsonOf(text));
    if (!answer.success || (answer.data.transfer ?? 'basic') !== 'basic') throw this.#refusal(404, '');
    return answer.data;
  }

  async #act(
    { href, header = {} }: Action,
    { method, body, type }: { method: string; body: string | Uint8Array; type: string },
  ): Promise<void> {
    if (!URL.canParse(href, this.#base)) throw this.#problem('unreachable', 'names no address to upload to');
    const url = new URL(href, this.#base);
    if (this.#base.protocol === 'https:' && url.protocol !== 'https:') {
      throw this.#problem('repository_unsupported', 'wants files to be uploaded without encryption');
    }
    const names = Object.keys(header).map((name) => name.toLowerCase());
    // The credential is for the host's own address alone.
    const own = url.origin === this.#base.origin && !names.includes('authorization') ? this.#headers : {};
    const given: Record<string, string> = names.includes('content-type') ? {} : { 'content-type': type };
    const response = await this.#send(url, { method, body, headers: { ...own, ...given, ...header } });
    const text = await this.#textOf(response);
    if (response.status < 200 || response.status > 299) throw this.#refusal(response.status, messageIn(text));
  }

  async #send(
    url: URL,
    { body, ...init }: { method: string; body: string | Uint8Array; headers: Record<string, string> },
  ): Promise<Response> {
    try {
      const bytes = body as string | Uint8Array<ArrayBuffer>;
      const signal = this.#signal ?? null;
      return await this.#fetch(url, { ...init, body: bytes, redirect: 'manual', signal });
    } catch (err) {
      throw this.#networkProblem(err);
    }
  }

  async #textOf(response: Response): Promise<string> {
    try {
      return await response.text();
    } catch (err) {
      throw this.#networkProblem(err);
    }
  }

  #networkProblem(err: unknown): unknown {
    if (this.#signal?.aborted) return this.#signal.reason;
    if (err instanceof AddressRefused) return new RepositoryProblem(err.code, err.message, { cause: err });
    return this.#problem('unreachable', `could not be reached (${networkReason(err)})`, err);
  }

  #refusal(status: number, message: string): RepositoryProblem {
    const reason = message === '' ? `status ${status}` : `status ${status}: ${message}`;
    switch (status) {
      case 401:
      case 403:
        return this.#problem(
          'repository_unreadable',
          `does not take Docent’s credential (${reason}). It needs write access`,
        );
      case 404:
      case 405:
      case 410:
      case 501:
        return this.#problem(
          'repository_unsupported',
          `does not offer Git LFS (${reason}), which .gitattributes asks for. Turn it on there, or put the file at another path`,
        );
      case 413:
        return this.#problem(
          'repository_unsupported',
          `takes no file of this size (${reason}). Raise its limit, or use a smaller file`,
        );
      case 422:
        return this.#problem('repository_unsupported', `refuses the file (${reason})`);
      case 507:
      case 509:
        return this.#problem(
          'repository_unsupported',
          `has no room left (${reason}). Make room there, then send a message to go on`,
        );
      default:
        return this.#problem('unreachable', `answered with ${reason}`);
    }
  }

  #problem(code: RepositoryProblem['code'], what: string, cause?: unknown): RepositoryProblem {
    return new RepositoryProblem(code, `The Git LFS server at ${this.#base.origin}${this.#base.pathname} ${what}.`, {
      cause,
    });
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function messageIn(text: string): string {
  const parsed = z.object({ message: z.string() }).safeParse(jsonOf(text));
  return parsed.success ? parsed.data.message.replace(/\s+/g, ' ').slice(0, MAX_REASON).toWellFormed() : '';
}
