import { createHash } from 'node:crypto';
import { messageOf } from '@docent/base/thrown';
import { DAY_MS } from '@docent/base/time';
import { dayOf } from '../../analytics/events/days.ts';
import { isWhole } from '../../analytics/query/page-effect.ts';
import { PinnedVersions, type PinnedVersion } from '../../analytics/query/pinned-version.ts';
import { Queries } from '../../analytics/query/queries.ts';
import { alertsOf, MOST_WEEKS } from '../../analytics/report/alert.ts';
import { gatherReport } from '../../analytics/report/gather.ts';
import { lastPeriod } from '../../analytics/report/period.ts';
import { alertText, reportText, type MailText } from '../../analytics/report/text.ts';
import type { AnalyticsFolder } from '../../analytics/storage/analytics-folder.ts';
import type { Duck } from '../../analytics/storage/duck.ts';
import { PeriodicTask, reportOnce } from '../../jobs/periodic-task.ts';
import { faultPoint } from '../../platform/faults.ts';
import type { Logger } from '../../platform/log.ts';
import type { Mailer } from '../../platform/mail/mailer.ts';
import type { AnalyticsAlert, AnalyticsReport } from '../../store/analytics-report.ts';
import { listMarks } from '../../store/analytics/annotations.ts';
import {
  deleteOldMessages,
  isMade,
  type MailRow,
  noteMessage,
  recordMail,
  takeMail,
} from '../../store/analytics/report-messages.ts';
import type { Database } from '../../store/database.ts';
import { effectiveSettings } from '../../store/projects/project-settings.ts';
import { listReportingProjects, type ProjectRow } from '../../store/projects/projects.ts';
import { enqueueWebhooks } from '../../store/webhooks/webhook-outbox.ts';

const EVERY_MS = 60_000;
/** How long the days of an alert must not have changed: before, page views are being imported. */
const QUIET_MS = 60 * 60_000;
const MOST_PULL_REQUESTS = 20;

export interface AnalyticsReportsOptions {
  database: Database;
  folder: AnalyticsFolder;
  duck: Duck;
  /** Null: no mail server is configured. */
  mailer: Mailer | null;
  /** The whole address of a path of the dashboard. */
  urlOf: (path: string) => string;
  log: Logger;
  everyMs?: number;
  quietMs?: number;
  now?: () => number;
}

/**
 * Sends reports about readers, and alerts about unusual days, by webhooks and e-mail. Safe in many workers:
 * one works at a time, and each message is noted before it is sent.
 */
export class AnalyticsReports {
  readonly #options: AnalyticsReportsOptions;
  readonly #versions: PinnedVersions;
  readonly #queries: Queries;
  readonly #task: PeriodicTask;
  /** What the days of each project's alert were, and since when. */
  readonly #days = new Map<string, { counts: string; since: number }>();

  constructor(options: AnalyticsReportsOptions) {
    const { database, folder, duck, log, everyMs = EVERY_MS } = options;
    this.#options = options;
    this.#versions = new PinnedVersions(database, folder, duck);
    this.#queries = new Queries(folder, duck);
    this.#task = new PeriodicTask({
      db: database.db,
      name: 'analytics-reports',
      everyMs,
      round: () => this.round(),
      failed: reportOnce(log, 'reports about readers could not be sent, tried again'),
    });
  }

  start(): void {
    this.#task.start();
  }

  async stop(): Promise<void> {
    await this.#task.stop();
    await this.#versions.close();
  }

  /** Notes the messages that are due, and sends what waits. */
  async round(): Promise<void> {
    const { database, log } = this.#options;
    await deleteOldMessages(database.db);
    for (const project of await listReportingProjects(database.db)) {
      if (this.#task.stopping.aborted) return;
      try {
        await this.#noteReport(project);
        await this.#noteAlerts(project);
      } catch (err) {
        log.warn({ err, projectId: project.id }, 'a reader report could not be created');
      }
    }
    await this.#sendMail();
  }

  get #now(): number {
    return (this.#options.now ?? Date.now)();
  }

  async #noteReport(project: ProjectRow): Promise<void> {
    const { db } = this.#options.database;
    const { analyticsReport: every, timeZone } = effectiveSettings(project.settings);
    if (every === undefined) return;
    const period = lastPeriod(every, timeZone, this.#now);
    const key = { projectId: project.id, kind: `report ${every}`, period: period.key };
    if (await isMade(db, key)) return;
    const counted = await this.#versions.use(project.id, undefined, (pinned) =>
      gatherReport(this.#queries, pinned, { every, timeZone, period }),
    );
    const marks = await listMarks(db, {
      projectId: project.id,
      range: { from: period.from, to: period.to },
      limit: MOST_PULL_REQUESTS,
    });
    const pullRequests = marks.flatMap(({ jobId, text: title, at }) => (jobId ? [{ title, mergedAt: at, jobId }] : []));
    const report: AnalyticsReport = { ...counted, pullRequests };
    await this.#note(key, project, { report, ...reportText(project.id, report, this.#urlOf(project.id)) });
  }

  async #noteAlerts(project: ProjectRow): Promise<void> {
    const { id: projectId } = project;
    const { quietMs = QUIET_MS } = this.#options;
    if (!effectiveSettings(project.settings).analyticsAlerts) return void this.#days.delete(projectId);
    const day = dayOf(this.#now) - 1;
    const found = await this.#versions.use(projectId, undefined, (pinned) => this.#countDays(pinned, day));
    if (!found) return;
    const counts = JSON.stringify(found);
    const before = this.#days.get(projectId);
    if (before?.counts !== counts) this.#days.set(projectId, { counts, since: performance.now() });
    const { since } = this.#days.get(projectId)!;
    if (performance.now() - since < quietMs) return;
    for (const alert of alertsOf({ day, firstDay: found.firstDay }, found.days)) {
      const key = { projectId, kind: `alert ${alert.readers}`, period: alert.day };
      await this.#note(key, project, { alert, ...alertText(projectId, alert, this.#urlOf(projectId)) });
    }
  }

  /** Null if the day has no page view: an outage of what counts is not a drop of readers. */
  async #countDays(pinned: PinnedVersion, day: number) {
    const from = (day - 7 * MOST_WEEKS) * DAY_MS;
    const to = (day + 1) * DAY_MS;
    if (!isWhole(pinned, { from: day * DAY_MS, to }, this.#now)) return null;
    const { files, floorDay } = pinned.manifest;
    const firstDay = Math.max(Math.min(...files.map(({ minDay }) => minDay)), floorDay ?? -Infinity);
    const days = await this.#queries.timeseries(pinned, { from, to });
    return { day, firstDay, days: days.map(({ date, visitors }) => ({ date, visitors })) };
  }

  /** In one transaction, so that a message is noted with all of its recipients, once. */
  async #note(
    key: { projectId: string; kind: string; period: string },
    project: ProjectRow,
    message: MailText & ({ report: AnalyticsReport } | { alert: AnalyticsAlert }),
  ): Promise<void> {
    const { database, mailer, log } = this.#options;
    const recipients = mailer ? effectiveSettings(project.settings).analyticsRecipients : [];
    const isNoted = await database.db.transaction(async (tx) => {
      if (!(await noteMessage(tx, key, { recipients, ...message }))) return false;
      const { projectId } = key;
      const [type, data] =
        'report' in message
          ? (['analytics.report', { report: message.report }] as const)
          : (['analytics.alert', { alert: message.alert }] as const);
      await enqueueWebhooks(tx, type, { projectId, jobId: null }, data, `${key.kind} ${key.period}`);
      return true;
    });
    if (!isNoted) return;
    faultPoint('report-noted');
    log.info(
      { projectId: key.projectId, kind: key.kind, period: key.period, recipients: recipients.length },
      'a reader report or alert is ready to be sent',
    );
    if (!mailer && effectiveSettings(project.settings).analyticsRecipients.length > 0)
      log.warn({ projectId: key.projectId }, 'no email is sent: DOCENT_SMTP_URL is not set');
  }

  async #sendMail(): Promise<void> {
    const { database, mailer, log } = this.#options;
    if (!mailer) return;
    while (!this.#task.stopping.aborted) {
      const mail = await takeMail(database.db);
      if (!mail) return;
      if (mail.state !== 'sending') continue;
      const problem = await this.#attempt(mailer, mail);
      faultPoint('report-sent');
      const state = await recordMail(database.db, mail, problem);
      const { projectId, kind, period } = mail;
      if (state === 'failed') log.warn({ projectId, kind, period, reason: problem }, 'an email could not be sent');
    }
  }

  /** @returns why it could not be sent; null if it was */
  async #attempt(mailer: Mailer, { recipient, subject, body, ...mail }: MailRow): Promise<string | null> {
    try {
      const messageId = messageIdOf({ ...mail, recipient });
      await mailer.send({ to: recipient, subject: subject ?? '', text: body ?? '', messageId });
      return null;
    } catch (err) {
      return messageOf(err);
    }
  }

  #urlOf(projectId: string): string {
    return this.#options.urlOf(`/projects/${encodeURIComponent(projectId)}/analytics`);
  }
}

/** The same in every attempt, and different for each recipient. */
function messageIdOf({
  projectId,
  kind,
  period,
  recipient,
}: Pick<MailRow, 'projectId' | 'kind' | 'period' | 'recipient'>) {
  const text = [projectId, kind, period, recipient].join('\0');
  return `${createHash('sha256').update(text).digest('hex').slice(0, 32)}@docent`;
}
