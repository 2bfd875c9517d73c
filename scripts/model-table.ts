/**
 * Writes windows and list prices of models, as the package `@earendil-works/pi-ai` (MIT) has them: it gathers
 * the data of models.dev and the providers, and releases often. `tokenlens`, made for this, has the models of
 * September 2025. Needs a package registry: run it when models or prices are new, with the version to take
 * them from.
 *
 *     node scripts/model-table.ts [VERSION]
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { formatted } from './generate/generated-files.ts';

const PACKAGE = '@earendil-works/pi-ai';
const TARGET = path.join(import.meta.dirname, '../packages/models/src/generated/model-table.json');
const PROVIDERS = ['amazon-bedrock', 'anthropic', 'azure', 'google', 'google-vertex', 'openai'] as const;

const Cost = z.object({ input: z.number(), output: z.number(), cacheRead: z.number(), cacheWrite: z.number() });
const Chat = z.object({
  type: z.literal('chat'),
  id: z.string(),
  input: z.array(z.string()),
  cost: Cost.extend({ tiers: z.array(z.object({ inputTokensAbove: z.number() })).optional() }),
  contextWindow: z.number(),
  maxTokens: z.number(),
});
const Catalog = z.record(z.string(), z.record(z.string(), z.union([Chat, z.object({ type: z.string() })])));

const run = promisify(execFile);
const folder = await mkdtemp(path.join(tmpdir(), 'docent-models-'));
try {
  const { stdout } = await run('npm', ['pack', '--silent', `${PACKAGE}@${process.argv[2] ?? 'latest'}`], {
    cwd: folder,
  });
  await run('tar', ['-xzf', stdout.trim()], { cwd: folder });
  const read = (name: string) => readFile(path.join(folder, 'package', name), 'utf8');
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(await read('package.json')));
  const models: Record<string, Record<string, number[]>> = {};
  for (const provider of PROVIDERS) {
    const catalog = Catalog.parse(JSON.parse(await read(`dist/providers/data/${provider}.json`)));
    const chats = Object.values(catalog).flatMap((entries) =>
      Object.values(entries).filter((entry) => 'cost' in entry),
    );
    const rows = chats.map((chat): [string, number[]] => [chat.id, rowOf(chat)]);
    models[provider] = Object.fromEntries(rows.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }
  const text = JSON.stringify({ source: `${PACKAGE} ${version}`, models });
  await writeFile(TARGET, await formatted(TARGET, text));
} finally {
  await rm(folder, { recursive: true, force: true });
}

/**
 * Window, longest answer, whether it sees images; then dollars for a million tokens: input, cached input,
 * cache write, output.
 */
function rowOf({ contextWindow, maxTokens, input, cost }: z.infer<typeof Chat>): number[] {
  // Where long requests cost more, the window ends where the higher price begins.
  const window = Math.min(contextWindow, ...(cost.tiers ?? []).map(({ inputTokensAbove }) => inputTokensAbove));
  const isPriced = cost.input > 0 || cost.output > 0;
  const price = [cost.input, cost.cacheRead || cost.input, cost.cacheWrite || cost.input, cost.output];
  return [window, maxTokens, input.includes('image') ? 1 : 0, ...(isPriced ? price : [])];
}
