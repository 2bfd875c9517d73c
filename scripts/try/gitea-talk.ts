import { setTimeout as sleep } from 'node:timers/promises';
import type { components, DocentClient } from '@docent/client';
import type { Person, RealGitea } from '../../test/support/real-gitea.ts';

/** Runs one step, and prints what came of it. */
export type Step = (what: string, work: () => Promise<string>) => Promise<void>;

type PullRequest = components['schemas']['PullRequest'];

interface Account {
  user: { login: string };
}
interface Comment extends Account {
  id: number;
  body: string;
}
interface LineComment extends Comment {
  path: string;
  resolver: unknown;
}

const WAIT_MS = 90_000;
const BOT = 'docent-bot';

export interface Talk {
  gitea: RealGitea;
  client: DocentClient;
  /** How Docent learns what happens. */
  way: 'webhook' | 'polling';
  ada: Person;
  /** Without write access. */
  eve: Person;
  /** A model that the review uses. */
  model: string;
  step: Step;
}

/**
 * A conversation in a real Gitea, from a mention in an issue to a merged pull request. What people do is sent
 * to Gitea's API, and Gitea delivers its own webhooks, or Docent polls.
 * @returns the conversation in the pull request, as Markdown
 */
export async function talkIn({ gitea, client, way, ada, eve, model, step }: Talk): Promise<string> {
  const name = `talk-${way}`;
  const { full_name: full } = await gitea.addRepository(name);
  const at = `/repos/${full}`;
  await gitea.api('PUT', `${at}/collaborators/${ada.login}`, { permission: 'write' });
  const added = await client.POST('/v1/projects', {
    body: { id: name, repository: `${gitea.url}/${full}`, model: 'builtin', settings: { draft: false } },
  });
  if (!added.data) throw new Error(`The project was refused: ${JSON.stringify(added.error)}`);
  const as = <T>(person: Person, method: string, route: string, body?: object) =>
    gitea.api<T>(method, `${at}${route}`, body, person.token);
  const commentsOf = (no: number) => gitea.api<Comment[]>('GET', `${at}/issues/${no}/comments`);
  const repliesIn = async (no: number) => (await commentsOf(no)).filter(({ user }) => user.login === BOT);
  const pull = async (no: number) => gitea.api<{ head: { sha: string; ref: string } }>('GET', `${at}/pulls/${no}`);
  const jobs = async () => {
    const { data } = await client.GET('/v2/agent/{projectId}/jobs', { params: { path: { projectId: name } } });
    return data?.jobs ?? [];
  };
  const eyesOn = async (route: string) => {
    const found = await gitea.api<({ content: string } & Account)[] | null>('GET', `${at}${route}/reactions`);
    return found?.some(({ content, user }) => content === 'eyes' && user.login === BOT) ?? false;
  };
  const say = async (person: Person, no: number, body: string) => {
    const { id } = await as<Comment>(person, 'POST', `/issues/${no}/comments`, { body });
    return id;
  };

  if (way === 'webhook') {
    await step('Docent creates the webhook', async () => {
      const { data } = await client.POST('/v1/hosts/{hostId}/connect', {
        params: { path: { hostId: 'gitea' } },
        body: {},
      });
      const mine = data?.repositories.find(({ repository }) => repository.endsWith(`/${full}`));
      if (mine?.problem !== null) throw new Error(JSON.stringify(data));
      return mine.result ?? '';
    });
  } else {
    // The first poll only finds what happens later.
    await sleep(8_000);
  }

  let no = 0;
  await step('Ada opens an issue that mentions @docent', async () => {
    const body = '@docent Append a section "Retries" with text "Docent retries three times." to the page guides/start';
    const issue = await as<{ number: number }>(ada, 'POST', '/issues', { title: 'Retries are not described', body });
    return within(async () => {
      const [reply] = await repliesIn(issue.number);
      const link = /\/pulls\/(\d+)/.exec(reply?.body ?? '');
      if (!link || !(await eyesOn(`/issues/${issue.number}`))) return null;
      no = Number(link[1]);
      return `👀, pull request ${no}, and a reply with its link`;
    });
  });
  await step('Ada comments in the pull request', async () => {
    const before = (await pull(no)).head.sha;
    const id = await say(ada, no, '@docent Replace "Install" with "Set up" in guides/start');
    return within(async () => {
      const replies = await repliesIn(no);
      const { sha } = (await pull(no)).head;
      if (sha === before || !replies[0]?.body.includes(sha) || !(await eyesOn(`/issues/comments/${id}`))) return null;
      return `👀, commit ${sha.slice(0, 8)}, ${replies.length} reply`;
    });
  });
  await step('Ada comments on a line in a review', async () => {
    const { sha: before, ref } = (await pull(no)).head;
    const page = await gitea.file(full, 'guides/start.mdx', ref);
    const line = page.split('\n').findIndex((one) => one.includes('three times')) + 1;
    const body = '@docent Replace "three times" with "five times" in guides/start';
    const comments = [{ path: 'guides/start.mdx', new_position: line, body }];
    const review = await as<{ id: number }>(ada, 'POST', `/pulls/${no}/reviews`, { event: 'COMMENT', comments });
    return within(async () => {
      const { sha } = (await pull(no)).head;
      const replies = await repliesIn(no);
      const [thread] = await gitea.api<LineComment[]>('GET', `${at}/pulls/${no}/reviews/${review.id}/comments`);
      if (sha === before || !replies.some(({ body: text }) => text.includes(sha)) || !thread?.resolver) return null;
      return `commit ${sha.slice(0, 8)}, a reply for the thread, and the thread is resolved`;
    });
  });
  await step('Ada requests changes', async () => {
    const { sha: before } = (await pull(no)).head;
    const body = 'Append a section "Last" with text "Bye." to the page guides/log';
    await as(ada, 'POST', `/pulls/${no}/reviews`, { event: 'REQUEST_CHANGES', body });
    return within(async () => {
      const { sha } = (await pull(no)).head;
      return sha !== before && (await repliesIn(no)).some(({ body: text }) => text.includes(sha))
        ? `commit ${sha.slice(0, 8)}`
        : null;
    });
  });
  await step('Eve, without write access, mentions @docent', async () => {
    const [before, count] = [(await pull(no)).head.sha, (await repliesIn(no)).length];
    await say(eve, no, '@docent Delete the page guides/log');
    return within(async () => {
      const { data } = await client.GET('/v1/audit', {
        params: { query: { projectId: name, operation: 'hostMessage' } },
      });
      const refused = data?.entries.filter(({ actor }) => actor.name === eve.login);
      if (!refused || refused.length === 0) return null;
      if ((await pull(no)).head.sha !== before || (await repliesIn(no)).length !== count)
        throw new Error('Docent answered.');
      return `${refused.length} entry in the audit log, no reply`;
    });
  });

  /** The pull request of the first job, as Docent shows it. */
  const shown = async (wanted: (pull: PullRequest) => boolean, text: string) => {
    const job = (await jobs()).at(-1);
    return within(async () => {
      const { data } = await client.GET('/v2/agent/{projectId}/job/{id}/pull-request', {
        params: { path: { projectId: name, id: job?.id ?? '' } },
      });
      return data && wanted(data) ? text : null;
    });
  };
  await step('A check fails', async () => {
    const { sha } = (await pull(no)).head;
    await as(ada, 'POST', `/statuses/${sha}`, {
      state: 'failure',
      context: 'links',
      description: 'Two links are broken.',
    });
    return shown(({ checks }) => checks?.state === 'failed', 'the job shows the failed check');
  });
  await step('Ada closes the pull request', async () => {
    await as(ada, 'PATCH', `/pulls/${no}`, { state: 'closed' });
    return shown(({ state }) => state === 'closed', 'closed in the job');
  });
  await step('Ada reopens it', async () => {
    await as(ada, 'PATCH', `/pulls/${no}`, { state: 'open' });
    return shown(({ state }) => state === 'open', 'open in the job');
  });
  await step('Ada chooses another base branch', async () => {
    await as(ada, 'POST', '/branches', { new_branch_name: 'next', old_branch_name: 'main' });
    await as(ada, 'PATCH', `/pulls/${no}`, { base: 'next' });
    return shown(({ baseBranch }) => baseBranch === 'next', 'its base is next in the job');
  });
  await step('Ada merges it', async () => {
    await as(ada, 'POST', `/pulls/${no}/merge`, { Do: 'merge', delete_branch_after_merge: true });
    return shown(({ state }) => state === 'merged', 'merged in the job');
  });

  let own = 0;
  await step('Ada mentions @docent in a pull request of her own', async () => {
    const text = '---\ntitle: "More"\n---\n\nSee [the guide](/guides/missing).\n';
    const content = Buffer.from(text).toString('base64');
    const written = { content, new_branch: 'more', message: 'Add more', branch: 'main' };
    await as(ada, 'POST', '/contents/guides/more.mdx', written);
    const made = { head: 'more', base: 'main', title: 'Add more' };
    own = (await as<{ number: number }>(ada, 'POST', '/pulls', made)).number;
    await say(ada, own, '@docent Append a section "More" with text "Read on." to the page guides/start');
    const before = (await pull(own)).head.sha;
    return within(async () => {
      const { sha, ref } = (await pull(own)).head;
      return sha !== before && (await repliesIn(own)).length === 1 ? `commit ${sha.slice(0, 8)} on ${ref}` : null;
    });
  });
  await step('Ada adds the label `docent review`', async () => {
    await client.PATCH('/v1/projects/{projectId}', { params: { path: { projectId: name } }, body: { model } });
    const label = await as<{ id: number }>(ada, 'POST', '/labels', { name: 'docent review', color: '#0f766e' });
    await as(ada, 'POST', `/issues/${own}/labels`, { labels: [label.id] });
    return within(async () => {
      const reviews = await gitea.api<({ id: number } & Account)[]>('GET', `${at}/pulls/${own}/reviews`);
      const mine = reviews.filter(({ user }) => user.login === BOT);
      const lines: LineComment[] = [];
      for (const { id } of mine) {
        lines.push(...(await gitea.api<LineComment[]>('GET', `${at}/pulls/${own}/reviews/${id}/comments`)));
      }
      const replies = await repliesIn(own);
      if (!replies.some(({ body }) => body.includes('reviewed the pull request')) || lines.length === 0) return null;
      const found = lines.map(({ path, body }) => `${path}: ${body.split('\n').slice(1).join(' ')}`);
      return `${lines.length} comments on lines (${found.join('; ')})`;
    });
  });
  return transcriptOf(await commentsOf(no));
}

function transcriptOf(comments: readonly Comment[]): string {
  return comments
    .map(({ user, body }) => `**${user.login}**\n\n${body.replaceAll(/<!--[^]*?-->\s*/g, '')}`)
    .join('\n\n---\n\n');
}

/** What came of it, and after how long. */
async function within(look: () => Promise<string | null>): Promise<string> {
  const startedAt = performance.now();
  for (;;) {
    const found = await look();
    const ms = performance.now() - startedAt;
    if (found !== null) return `${found} after ${(ms / 1_000).toFixed(1)} s`;
    if (ms > WAIT_MS) throw new Error(`Nothing came of it within ${WAIT_MS / 1_000} s.`);
    await sleep(250);
  }
}
