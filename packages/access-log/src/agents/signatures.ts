import { createPublicKey, hash, type KeyObject, verify } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import shipped from './agent-directories.json' with { type: 'json' };
import { type Component, signatureBase, signatureBytes, signatureInputs, textMember } from './signature-base.ts';

/** An origin whose requests are signed with the keys that it publishes (Web Bot Auth). */
export interface AgentDirectory {
  /** Null for one that only this installation trusts. */
  readonly operator: string | null;
  /** The agent that a valid signature proves. */
  readonly agent: string;
  readonly origin: string;
}

/** The directories that are trusted by default, with the operators' own documentation. */
export const SHIPPED_DIRECTORIES: readonly (AgentDirectory & { readonly source: string; readonly date: string })[] =
  shipped;

/** @param origins the trusted ones */
export const directoriesAt = (origins: readonly string[]): AgentDirectory[] =>
  origins.map(
    (origin) =>
      SHIPPED_DIRECTORIES.find((known) => known.origin === origin) ?? {
        operator: null,
        agent: new URL(origin).host,
        origin,
      },
  );

/** https://datatracker.ietf.org/doc/draft-meunier-http-message-signatures-directory/ */
export const directoryUrl = (origin: string): string => `${origin}/.well-known/http-message-signatures-directory`;

/** A public Ed25519 key (RFC 8037). Times in seconds since 1970. */
const KEY = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.base64url().length(43),
  nbf: z.number().optional(),
  exp: z.number().optional(),
});
export type AgentKey = z.infer<typeof KEY>;

const MOST_KEYS = 100;
const DIRECTORY = z.object({ keys: z.array(z.unknown()).max(MOST_KEYS) });

/**
 * The Ed25519 keys of a directory; others are left out.
 * @throws an Error that explains what is wrong with it
 */
export function readDirectory(text: string): AgentKey[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (cause) {
    throw new Error('The answer is no JSON.', { cause });
  }
  const directory = DIRECTORY.safeParse(parsed);
  const keys = directory.data?.keys.flatMap((key) => KEY.safeParse(key).data ?? []) ?? [];
  if (keys.length === 0) throw new Error('The answer is no directory with Ed25519 keys.');
  return keys;
}

/** The id of a key (RFC 7638). */
export const thumbprintOf = ({ crv, kty, x }: AgentKey): string =>
  hash('sha256', JSON.stringify({ crv, kty, x }), 'base64url');

/** The parts of a request that a signature can cover here. */
export interface SignedRequest {
  /** The headers `Signature`, `Signature-Input` and `Signature-Agent`. */
  readonly signature: string;
  readonly signatureInput: string;
  readonly signatureAgent: string | null;
  /** The host, with a port if it is not the default one. */
  readonly authority: string;
  readonly method: string;
  /** As requested, without the query. */
  readonly path: string;
}

/** A path as requested: of a path or URL, without its query. */
export const rawPathOf = (pathOrUrl: string): string => /^(?:https?:\/\/[^/?#]*)?([^?#]*)/i.exec(pathOrUrl)?.[1] || '/';

/** What a signature says. `isValid: false`: made with a key of the directory, but not for this request. */
interface Signed {
  readonly directory: AgentDirectory;
  readonly isValid: boolean;
}

/** https://datatracker.ietf.org/doc/draft-meunier-web-bot-auth-architecture/ */
const TAG = 'web-bot-auth';
/** Longer headers are not a signature of an agent. */
const LONGEST = 2_048;
const SKEW_SECONDS = 60;
/** The draft recommends that a signature expires within a day. */
const LONGEST_VALIDITY_SECONDS = 24 * 60 * 60;
/** Keys that could not be read again for so long are no longer trusted. */
const KEYS_EXPIRE_SECONDS = 14 * 24 * 60 * 60;
const NONCES = 100_000;

interface KnownKey {
  readonly key: KeyObject;
  /** In seconds since 1970. */
  readonly from: number;
  readonly to: number;
  readonly directory: AgentDirectory;
}

/** Verifies signatures of requests (RFC 9421, Web Bot Auth) with the keys of trusted directories. */
export class AgentKeys {
  #directories: readonly AgentDirectory[] = SHIPPED_DIRECTORIES;
  #keys = new Map<string, KnownKey>();
  /** The client that first used a nonce: others copied it. */
  readonly #nonces = new LRUCache<string, string>({ max: NONCES });

  /** Trusts these directories, after their keys are loaded. */
  trust(directories: readonly AgentDirectory[]): void {
    this.#directories = directories;
    this.#keys.clear();
  }

  /** Uses these keys from now on. @param read keys of a directory, if they were read */
  use(read: (url: string) => { keys: readonly AgentKey[]; readAt: Date } | null): void {
    this.#keys = new Map(
      this.#directories.flatMap((directory) => {
        const { keys, readAt } = read(directoryUrl(directory.origin)) ?? { keys: [], readAt: new Date(0) };
        return keys.map(({ kty, crv, x, nbf = 0, exp = Infinity }): [string, KnownKey] => {
          const key = createPublicKey({ key: { kty, crv, x }, format: 'jwk' });
          const to = Math.min(exp, readAt.getTime() / 1_000 + KEYS_EXPIRE_SECONDS);
          return [thumbprintOf({ kty, crv, x }), { key, from: nbf, to, directory }];
        });
      }),
    );
  }

  /**
   * Null for a signature that cannot be checked: malformed, by an unknown key, or over other parts of the
   * request.
   * @param at the time of the request, in milliseconds since 1970: logs and late events can be checked, too
   * @param client differs between clients
   */
  verify(request: SignedRequest, at: number, client: string): Signed | null {
    const { signature, signatureInput, signatureAgent } = request;
    if (Math.max(signature.length, signatureInput.length, signatureAgent?.length ?? 0) > LONGEST) return null;
    const [input, another] = signatureInputs(signatureInput, TAG);
    if (!input || another) return null;
    const { keyid, created, expires, nonce, alg = 'ed25519' } = Object.fromEntries(input.parameters);
    const known = this.#keys.get(String(keyid));
    const now = at / 1_000;
    if (!known || alg !== 'ed25519' || now < known.from || now > known.to) return null;
    if (!input.components.some(({ name }) => name === '@authority')) return null;
    if (!isOf(known.directory, signatureAgent, input.components)) return null;
    const bytes = signatureBytes(signature, input.label);
    const base = signatureBase(input, (component) => valueOf(component, request));
    if (!bytes || base === null || typeof created !== 'number' || typeof expires !== 'number') return null;
    const until = Math.min(expires, created + LONGEST_VALIDITY_SECONDS);
    const isTimely = now >= created - SKEW_SECONDS && now <= until + SKEW_SECONDS;
    const isValid =
      isTimely &&
      verify(null, Buffer.from(base), known.key, bytes) &&
      (nonce === undefined || this.#isFirst(`${String(keyid)} ${String(nonce)}`, client));
    return { directory: known.directory, isValid };
  }

  /** Whether no other client used a nonce before. Requests that are sent again come from the same client. */
  #isFirst(nonce: string, client: string): boolean {
    const first = this.#nonces.get(nonce);
    if (first === undefined) this.#nonces.set(nonce, client);
    return first === undefined || first === client;
  }
}

/** Whether the header `Signature-Agent`, if there is one, is signed and names this directory. */
function isOf({ origin }: AgentDirectory, header: string | null, components: readonly Component[]): boolean {
  if (header === null) return true;
  const covered = components.find(({ name }) => name === 'signature-agent');
  if (!covered) return false;
  const text = covered.key === null ? header.trim() : textMember(header, covered.key);
  return URL.parse(/^"([^"]*)"/.exec(text ?? '')?.[1] ?? '')?.origin === origin;
}

/** Null for parts that neither events nor logs have. */
function valueOf({ name, key }: Component, request: SignedRequest): string | null {
  if (name === 'signature-agent') {
    return key === null ? (request.signatureAgent?.trim() ?? null) : textMember(request.signatureAgent ?? '', key);
  }
  if (key !== null) return null;
  if (name === '@method') return request.method;
  if (name === '@path') return request.path;
  return name === '@authority' ? request.authority.toLowerCase().replace(/:(?:80|443)$/, '') : null;
}

/** Those of this process. */
export const agentKeys = new AgentKeys();
