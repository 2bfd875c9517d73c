import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { setCurrentDetails, upsertMemo, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import { SEARCH_ATTRIBUTES } from './contract.ts';

export interface JobView {
  projectId: string;
  status: string;
  title: string;
  prLink: string | null;
  branch: string | null;
  /** Why it has failed. */
  reason: string | null;
}

const STATUS = defineSearchAttributeKey(SEARCH_ATTRIBUTES.status, SearchAttributeType.KEYWORD);
const PROJECT = defineSearchAttributeKey(SEARCH_ATTRIBUTES.project, SearchAttributeType.KEYWORD);

const DELETED = 'deleted';

/** What people see when they open the job in Temporal's Web UI. */
export class JobDisplay {
  private job: JobView | undefined;
  private doing = '';
  private readonly searchAttributes: boolean;

  constructor(searchAttributes: boolean) {
    this.searchAttributes = searchAttributes;
  }

  /** Shows the job's state; costs history events only where it changed. */
  show(job: JobView): void {
    const before = this.job;
    this.job = job;
    this.doing = '';
    if (this.searchAttributes && before?.status !== job.status && this.recordedStatus() !== job.status) {
      upsertSearchAttributes([
        { key: STATUS, value: job.status },
        { key: PROJECT, value: job.projectId },
      ]);
    }
    // The memo, unlike the details, is readable with no worker running.
    if (job.prLink && workflowInfo().memo?.['pullRequest'] !== job.prLink) upsertMemo({ pullRequest: job.prLink });
    this.write();
  }

  /** Shows that the job no longer exists. The workflow completes, because a retry cannot help. */
  showGone(why: string): void {
    if (this.searchAttributes && this.recordedStatus() !== DELETED) {
      upsertSearchAttributes([{ key: STATUS, value: DELETED }]);
    }
    setCurrentDetails(`**${DELETED}** – ${plain(why)}`);
  }

  /** Shows the current activity. */
  step(doing: string): void {
    this.doing = doing;
    this.write();
  }

  private recordedStatus(): string | undefined {
    return workflowInfo().typedSearchAttributes.get(STATUS);
  }

  private write(): void {
    if (!this.job) return;
    const { title, status, projectId, prLink, branch, reason } = this.job;
    setCurrentDetails(
      [
        `**${status}**${this.doing ? ` – ${plain(this.doing)}` : ''}`,
        '',
        ...(reason ? [`- Reason: ${plain(reason)}`] : []),
        `- Prompt: ${plain(title)}`,
        `- Project: ${projectId}`,
        ...(branch ? [`- Branch: \`${branch}\``] : []),
        ...(prLink ? [`- Pull request: [${prLink}](${prLink})`] : []),
      ].join('\n'),
    );
  }
}

/** Prompts are hostile: no Markdown of theirs reaches the page. */
function plain(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+!|<>~-]/g, '\\$&');
}
