import { readDiff, type DiffFile } from '@docent/client';
import { diffView, fileSummary } from './diff-view.ts';
import { markup, type Content, type Html } from './html.ts';
import { page } from './layout.ts';
import { renderMarkdown } from './markdown.ts';

/** What the page shows of a pull request. */
interface ShownPullRequest {
  jobId: string;
  projectId: string;
  state: 'open' | 'merged' | 'closed';
  title: string;
  body: string;
  baseBranch: string;
  headBranch: string;
  diff: string;
  commits: readonly { id: string; message: string; authorName: string; time: string }[];
  mergeCommit: string | null;
  createdAt: Date;
  updatedAt: Date;
}

/** The outcome of an action on the page. */
export interface Notice {
  tone: 'ok' | 'bad';
  text: string;
  /** A command for the person to run instead. */
  command?: string;
}

export interface Reader {
  /** Whether they may merge and close; null for readers who are not signed in. */
  may: boolean | null;
  /** The dashboard's page of the job's changes, as browsers see it. */
  changesPath: string;
  /** The sign-in page that leads back here. */
  signInPath: string;
}

const STATES = { open: 'Open', merged: 'Merged', closed: 'Closed' } as const;

/**
 * The page of a pull request, for anyone with its link. Titles, descriptions, names and diffs are hostile
 * text. To merge or close it, readers go to the dashboard's page of the job's changes, which shows objections
 * above the buttons.
 */
export function pullRequestPage(row: ShownPullRequest, reader: Reader, notice: Notice | null = null): string {
  const { files, notes } = readDiff(row.diff);
  return page(
    `${row.title} · ${STATES[row.state]} pull request`,
    markup`${notice && noticeBanner(notice)}
<h1>${row.title}</h1>
<p><span class="badge ${row.state}">${STATES[row.state]}</span> ${stateNote(row)}</p>
<p class="soft">Job <code>${row.jobId}</code> of project <code>${row.projectId}</code>, opened ${time(row.createdAt)}, updated ${time(row.updatedAt)}.
Continue it with <code>docent job message --project ${row.projectId} ${row.jobId} "…"</code></p>
<h2>Description</h2>
<div class="panel">${row.body.trim() === '' ? markup`<p class="soft">No description.</p>` : renderMarkdown(row.body)}</div>
<h2>${counted(row.commits.length, 'commit')}</h2>
${row.commits.length > 0 && commitList(row)}
<h2>${changes(files)}</h2>
${files.length > 0 && fileSummary(files)}
${diffView(files)}
${notes.map((note) => markup`<p class="soft plain">${note}</p>`)}
${row.state === 'open' && actions(reader)}`,
  );
}

/** How a person does the refused action manually. */
export function mergeCommand(row: ShownPullRequest, inWorkTree: boolean): string {
  const merge = `git merge ${shellWord(row.headBranch)}`;
  return inWorkTree ? merge : `git switch ${shellWord(row.baseBranch)} && ${merge}`;
}

function stateNote(row: ShownPullRequest): Html {
  const branches = markup`<code>${row.headBranch}</code> into <code>${row.baseBranch}</code>`;
  if (row.state === 'open') return markup`wants to bring ${branches}`;
  if (row.state === 'closed') return markup`was to bring ${branches}; the branch is still there`;
  return markup`brought ${branches}${row.mergeCommit && markup` as <code>${row.mergeCommit.slice(0, 10)}</code>`}`;
}

function commitList(row: ShownPullRequest): Html {
  return markup`<ul class="commits">${row.commits.map(
    (commit) => markup`
<li><code>${commit.id.slice(0, 10)}</code> <span class="what">${firstLine(commit.message)}</span> <span class="soft">${commit.authorName}, ${time(commit.time)}</span></li>`,
  )}
</ul>`;
}

function changes(files: readonly DiffFile[]): Html {
  const additions = files.reduce((sum, file) => sum + file.additions, 0);
  const deletions = files.reduce((sum, file) => sum + file.deletions, 0);
  return markup`${counted(files.length, 'changed file')} <span class="plus">+${additions}</span> <span class="minus">−${deletions}</span>`;
}

function actions({ may, changesPath, signInPath }: Reader): Html {
  return markup`<h2>Review and merge</h2>
<div class="panel">${
    may
      ? markup`<p><a class="button" href="${changesPath}">Review and merge</a></p>
<p class="soft">The dashboard shows what the checks found, and asks before it merges what they find wrong.</p>`
      : markup`<p class="soft">Whoever has this page’s link can read it; changing the repository takes an editor of the project. ${
          may === null
            ? markup`<a href="${signInPath}">Sign in</a> to merge or close.`
            : 'You are signed in, and not one.'
        }</p>`
  }</div>`;
}

function noticeBanner(notice: Notice): Html {
  return markup`<div class="banner ${notice.tone}" role="status">${notice.text}${
    notice.command && markup`<pre><code>${notice.command}</code></pre>`
  }</div>`;
}

function time(instant: Date | string): Content {
  const date = new Date(instant);
  if (Number.isNaN(date.getTime())) return String(instant);
  const iso = date.toISOString();
  return markup`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

/** Branch names may hold what a shell would run. */
function shellWord(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
