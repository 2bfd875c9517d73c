import { setImmediate as afterOthers } from 'node:timers/promises';
import { z } from 'zod';
import { beginningOf, withEllipsis } from '@docent/base/ellipsis';
import { findSecrets, withoutSecrets } from '@docent/find-secrets/find-secrets';
import type { components } from '@docent/client';

type Call = components['schemas']['JobCall'];

const MAX_CALLS = 100;
const MAX_ARGUMENTS = 20;
const MAX_NAME = 60;
/** Characters of a call's arguments together, and of its result. */
const MAX_TEXT = 2_000;
/** Scanned for secrets, but its end is not shown, so that shown secrets are complete. */
const MAX_SCANNED = 8_000;
const MAX_SECRET = 4_000;

/** The parts of the transcript's entries that are shown. */
const answerSchema = z.object({
  role: z.literal('assistant'),
  toolCalls: z.array(z.object({ id: z.string(), name: z.string(), input: z.unknown().optional() })),
});
const resultsSchema = z.object({
  role: z.literal('tool'),
  results: z.array(z.object({ callId: z.string(), ok: z.boolean(), text: z.string() })),
});

/**
 * A step's tool calls, truncated and without secrets.
 * @param answer the entries of its first half
 * @param results of its second half; maybe none yet
 * @param allowed ids of allowed secrets
 */
export async function presentCalls(
  answer: readonly unknown[],
  results: readonly unknown[],
  allowed: readonly string[],
): Promise<Call[]> {
  const calls = answer.flatMap((entry) => answerSchema.safeParse(entry).data?.toolCalls ?? []).slice(0, MAX_CALLS);
  const recorded = results.flatMap((entry) => resultsSchema.safeParse(entry).data?.results ?? []);
  const shown: Call[] = [];
  for (const { id, name, input } of calls) {
    // Looking for secrets takes a moment: other requests have their turn between.
    await afterOthers();
    const result = recorded.find(({ callId }) => callId === id);
    shown.push({
      name: (await shownText(name, MAX_NAME, allowed)).text,
      arguments: await shownArguments(input, allowed),
      result: result ? { ok: result.ok, ...(await shownText(result.text, MAX_TEXT, allowed)) } : null,
    });
  }
  return shown;
}

async function shownArguments(input: unknown, allowed: readonly string[]): Promise<Call['arguments']> {
  // A model may write anything: then it is one argument without a name.
  const isNamed = typeof input === 'object' && input !== null;
  const entries: [string, unknown][] = isNamed ? Object.entries(input) : input === undefined ? [] : [['', input]];
  const shown: Call['arguments'] = [];
  let left = MAX_TEXT;
  for (const [name, value] of entries.slice(0, MAX_ARGUMENTS)) {
    const { text, cut } = await shownText(typeof value === 'string' ? value : inJson(value), left, allowed);
    left -= text.length;
    shown.push({ name: (await shownText(name, MAX_NAME, allowed)).text, value: text, cut });
  }
  return shown;
}

/** Keeps line breaks, for readability and so that a secret after one is detected. */
function inJson(value: unknown): string {
  return (JSON.stringify(value, null, 2) ?? '').replaceAll('\\n', '\n');
}

/** The beginning of a text. Secrets go before it is cut: half of one would not be known for one. */
async function shownText(
  text: string,
  most: number,
  allowed: readonly string[],
): Promise<{ text: string; cut: boolean }> {
  if (most <= 0) return { text: '', cut: text !== '' };
  const scanned = beginningOf(text, MAX_SCANNED);
  const secrets = (await findSecrets(scanned)).filter(({ id }) => !allowed.includes(id));
  // Beyond this, the second half of a secret may be missing.
  const last = Math.min(scanned.length, MAX_SCANNED - MAX_SECRET);
  const end = Math.max(last, ...secrets.map((secret) => (secret.start < last ? secret.end : 0)));
  const known = withoutSecrets(
    scanned.slice(0, end),
    secrets.filter(({ start }) => start < end),
  );
  return { text: withEllipsis(known, most), cut: end < text.length || known.length > most };
}
