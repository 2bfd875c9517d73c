import { oneLine } from '@docent/base/one-line';
import { withEllipsis } from '@docent/base/ellipsis';
import type { RunCause, Trigger } from '../store/automations/automation-schema.ts';
import type { ReaderSignal } from '../config/automation-values.ts';
import { scheduleText } from './schedule-trigger.ts';

const OR = new Intl.ListFormat('en', { type: 'disjunction' });

/** A trigger as a text for people. */
export function triggerText(trigger: Trigger): string {
  if (trigger.type === 'schedule') return scheduleText(trigger);
  if (trigger.type === 'webhook') {
    return trigger.filter === undefined ? 'On each delivery' : `On deliveries for which ${trigger.filter} is true`;
  }
  if (trigger.type === 'readers') {
    const { signal, threshold, days } = trigger;
    return SIGNALS[signal](threshold, days === 1 ? 'a day' : `${days} days`);
  }
  if (trigger.type === 'code') {
    const { repositories = [], events, branches = [] } = trigger;
    const where = repositories.length === 0 ? 'any source' : repositories.join(', ').replace(/^\.$/, 'this repository');
    const onBranches = branches.length === 0 ? '' : `, branches ${branches.join(', ')}`;
    const pulls = events.filter((name) => name !== 'pushed' && name !== 'stale_citation');
    const happens = [
      ...(events.includes('pushed') ? ['code is pushed'] : []),
      ...(pulls.length > 0 ? [`pull requests are ${OR.format(pulls)}`] : []),
      ...(events.includes('stale_citation') ? ['cited lines change'] : []),
    ];
    return `When ${OR.format(happens)} in ${where}${onBranches}`;
  }
  return 'By the API';
}

const SIGNALS: Readonly<Record<ReaderSignal, (threshold: number, within: string) => string>> = {
  not_found: (n, within) => `When ${n} visitors within ${within} open a page that does not exist`,
  search_without_click: (n, within) => `When ${n} visitors within ${within} search and open no result`,
  negative_feedback: (n, within) => `When ${n} visitors within ${within} find a page unhelpful`,
  agent_feedback: (n, within) => `When ${n} agents within ${within} give feedback on a page`,
  read_by_ai_only: (n, within) => `When ${n} AI visitors and no human read a page within ${within}`,
};

/** What started a run, in a few words. Names from a sender are hostile. */
export function causeText({ type, deliveryId, actor }: RunCause): string {
  if (type === 'api') return actor === null ? 'called by the API' : `called by ${actor}`;
  if (type === 'schedule') return `scheduled for ${deliveryId ?? 'this time'}`;
  if (type === 'code') {
    if (actor === 'stale_citation') return 'cited lines that changed';
    return actor === 'pushed' ? 'code that was pushed' : `a pull request that was ${actor}`;
  }
  if (type === 'readers') return `reported by readers (${actor})`;
  return actor === null ? 'a delivery' : `a delivery of ${actor}`;
}

/**
 * A run's summary on one line. With what follows its subject, which alone does not say why nothing was changed.
 */
export function summaryLine(summary: string, most: number): string {
  return withEllipsis(oneLine(summary.replace(/\n\s*\n/, ': ')), most);
}
