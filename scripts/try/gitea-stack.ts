import { randomBytes } from 'node:crypto';
import type { RealGitea } from '../../test/support/real-gitea.ts';
import { chatAnswer, startScriptedProvider } from '../../test/support/scripted-provider.ts';
import { startBenchStack, type BenchStack } from '../bench/bench-stack.ts';
import { talkIn, type Talk } from './gitea-talk.ts';

/** What the model finds in each review. */
const FOUND = '- guides/more.mdx:5: Say what the guide explains.\n\nOne page, one question.';

/** {@link talkIn}, with its own Docent. */
export async function talkOn(gitea: RealGitea, talk: Pick<Talk, 'way' | 'ada' | 'eve' | 'step'>): Promise<string> {
  // The last answer is given again.
  const provider = await startScriptedProvider([{ body: [chatAnswer({ content: FOUND })] }]);
  const env = {
    DOCENT_HOST_POLL_SECONDS: talk.way === 'webhook' ? '0' : '2',
    OPENAI_COMPATIBLE_BASE_URL: `${provider.url}/v1`,
    OPENAI_COMPATIBLE_API_KEY: 'none',
  };
  try {
    return await withStack(gitea, env, ({ client }) =>
      talkIn({ ...talk, gitea, client, model: 'openai-compatible/test' }),
    );
  } finally {
    await provider.close();
  }
}

/** A Docent that has this Gitea. */
export async function withStack<T>(
  gitea: RealGitea,
  env: Record<string, string>,
  work: (stack: BenchStack) => Promise<T>,
): Promise<T> {
  const stack = await startBenchStack(() => ({
    DOCENT_SECRET_KEY: randomBytes(32).toString('base64'),
    DOCENT_PRIVATE_HOSTS: '127.0.0.1',
    ...env,
  }));
  try {
    await Promise.all([stack.startApi(), stack.startWorker()]);
    const { data, error } = await stack.client.POST('/v1/hosts', {
      body: { id: 'gitea', kind: 'gitea', url: gitea.url, credential: gitea.token },
    });
    if (!data) throw new Error(`The host was refused: ${JSON.stringify(error)}`);
    return await work(stack);
  } finally {
    await stack.stop();
  }
}
