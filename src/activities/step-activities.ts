import { setTimeout as sleep } from 'node:timers/promises';
import { askToSumUp, limitOf, sumUpWithoutWords } from '../agent/last-message.ts';
import { judgeLoop } from '../agent/loop-guard.ts';
import { buildSystemPrompt } from '../agent/prompt.ts';
import { TOOL_DEFINITIONS } from '../agent/tools/tool-set.ts';
import type { LimitReached, ToolCall, TranscriptEntry } from '../agent/transcript.ts';
import { visibleName } from '../agent/visible-text.ts';
import { JobFailure } from '../errors.ts';
import { faultPoint } from '../faults.ts';
import { isDatabaseUnavailable } from '../store/database.ts';
import { addEvent } from '../store/job-events.ts';
import { listOverlay, replaceOverlay } from '../store/overlay.ts';
import { findPart, readTranscript, recordPart, type TranscriptRow } from '../store/transcript.ts';
import { claimTurn, takeMessages, updateClaimedTurn } from '../store/turns.ts';
import { policyOf, type ActivityDeps } from './deps.ts';
import { runActivity, type ActivityRun } from './run-activity.ts';
import { describeCalls, describeProblems } from './step-words.ts';
import { loadTurn, snapshotOf } from './turn-context.ts';

interface StepAt {
  jobId: string;
  turn: number;
  step: number;
}

/** The two halves of a step, and the check of the docs. Each records its outcome once; run again, it returns what was recorded. */
export function createStepActivities(deps: ActivityDeps) {
  const { db, agents, log } = deps;

  return {
    /**
     * Gives the agent the messages that wait and asks the model for its next answer. At most one more model call per crash:
     * the first recorded answer wins.
     * @param input.limit the turn ends: no message is given to the agent any more, and it is asked to sum up
     * @returns how many tool calls it asks for (0: done), a short description of them, and the limit if these were the last words
     */
    async callModel(input: StepAt & { limit?: LimitReached }): Promise<ModelAnswered & { ms: number }> {
      const { jobId, turn: turnNo, step } = input;
      return runActivity(log, { jobId, turn: turnNo, step }, async (run) => {
        const recorded = await findPart(db, jobId, turnNo, step, 'model');
        if (recorded) return answerOf(recorded);
        const startedAt = performance.now();
        const claim = await claimTurn(db, jobId, turnNo);
        const { job, project, turn } = await loadTurn(deps, claim);
        const model = deps.models.get(job.model);
        if (!model) {
          throw new JobFailure(
            'model_unknown',
            `The model "${job.model}" is not set up here. Known: ${[...deps.models.keys()].join(', ')}.`,
          );
        }
        const rows = await readTranscript(db, jobId);
        const earlier = entriesOf(rows);
        const verdict = judgeLoop(entriesOf(rows.filter((row) => row.turnNo === turnNo && row.stepNo < step)));
        const limit = input.limit ?? (verdict.kind === 'stop' ? verdict.limit : null);
        const taken = await db.transaction(async (tx) => {
          await updateClaimedTurn(tx, claim, {});
          return takeMessages(tx, { jobId, turnNo, stepNo: step }, limit ? 0 : deps.settings.messagesPerTurn);
        });
        const said: TranscriptEntry[] = taken.map(({ no, prompt }) => ({ role: 'user', no, text: prompt }));
        if (limit) said.push(askToSumUp(limit));
        else if (verdict.kind === 'warn') said.push({ role: 'notice', kind: 'repeating', text: verdict.text });
        const snapshotPath = await snapshotOf(deps, project, turn, run);
        const { instructions, siteKind } = await agents.readInstructions(
          { snapshotPath, docsDir: project.docsDir },
          { signal: run.signal },
        );
        const answer = await model.respond(
          {
            system: buildSystemPrompt({ projectId: project.id, docsDir: project.docsDir, instructions, siteKind }),
            transcript: [...earlier, ...said],
            tools: TOOL_DEFINITIONS,
            ...(limit ? { toolChoice: 'none' as const } : {}),
          },
          { signal: run.signal },
        );
        const last = limit && (await lastWords(deps, jobId, limit, answer.text));
        faultPoint('model-answered');
        const entries: TranscriptEntry[] = [
          ...said,
          { role: 'assistant', text: last ?? answer.text, toolCalls: last === null ? answer.toolCalls : [] },
        ];
        const kept = await keepTrying(run, () =>
          db.transaction(async (tx) => {
            await updateClaimedTurn(tx, claim, { steps: step, addActivityMs: performance.now() - startedAt });
            const part = await recordPart(tx, { jobId, turnNo, stepNo: step, part: 'model', entries });
            const text = limit ? `${limit.message} It sums up.` : describeCalls(answer.toolCalls);
            if (part.first && text !== '') await addEvent(tx, { jobId, type: 'step', turnNo, text });
            return part;
          }),
        );
        faultPoint('model-recorded');
        return answerOf(kept.entries);
      });
    },

    /** Carries out the tool calls of the step's answer on the workspace: results and changed files are recorded together. */
    async runTools({ jobId, turn: turnNo, step }: StepAt): Promise<{ errors: number; ms: number }> {
      return runActivity(log, { jobId, turn: turnNo, step }, async (run) => {
        const recorded = await findPart(db, jobId, turnNo, step, 'tools');
        if (recorded) return errorsOf(recorded);
        const startedAt = performance.now();
        const claim = await claimTurn(db, jobId, turnNo);
        const { project, turn } = await loadTurn(deps, claim);
        const calls = await callsOf(deps, jobId, turnNo, step);
        const ran = await agents.runStep(
          {
            snapshotPath: await snapshotOf(deps, project, turn, run),
            overlay: await listOverlay(db, jobId),
            policy: policyOf(deps.settings, project.docsDir),
            calls,
          },
          { signal: run.signal },
        );
        faultPoint('tools-run');
        const entries: TranscriptEntry[] = [{ role: 'tool', results: ran.results }];
        const kept = await keepTrying(run, () =>
          db.transaction(async (tx) => {
            await updateClaimedTurn(tx, claim, { addActivityMs: performance.now() - startedAt });
            const part = await recordPart(tx, { jobId, turnNo, stepNo: step, part: 'tools', entries });
            if (part.first) {
              await replaceOverlay(tx, jobId, turnNo, ran.overlay);
              const failed = ran.results.filter((result) => result.isError).length;
              if (failed > 0) {
                await addEvent(tx, {
                  jobId,
                  type: 'step',
                  turnNo,
                  text: `${failed} of ${calls.length} calls were refused.`,
                });
              }
            }
            return part;
          }),
        );
        faultPoint('tools-recorded');
        return errorsOf(kept.entries);
      });
    },

    /**
     * Checks the docs as a build would. Problems that the change introduced are told to the agent if `mayTell`; else the pull
     * request will name them.
     * @returns told: the agent has something to read, so another step is due
     */
    async checkDocs(input: StepAt & { mayTell: boolean }): Promise<{ told: boolean; problems: number; ms: number }> {
      const { jobId, turn: turnNo, step } = input;
      return runActivity(log, { jobId, turn: turnNo, step }, async (run) => {
        const noted = await findPart(db, jobId, turnNo, step, 'note');
        if (noted) return { told: true, problems: 1 };
        const overlay = await listOverlay(db, jobId);
        if (overlay.length === 0) return { told: false, problems: 0 };
        const claim = await claimTurn(db, jobId, turnNo);
        const { project, turn } = await loadTurn(deps, claim);
        const { introduced, checkedPages } = await agents.runChecks(
          {
            snapshotPath: await snapshotOf(deps, project, turn, run),
            overlay,
            policy: policyOf(deps.settings, project.docsDir),
          },
          { signal: run.signal },
        );
        const errors = introduced.filter((problem) => problem.severity === 'error');
        const told = input.mayTell && errors.length > 0;
        await db.transaction(async (tx) => {
          await updateClaimedTurn(tx, claim, { problems: errors.map((problem) => ({ ...problem })) });
          const text =
            errors.length === 0
              ? `Checked ${checkedPages} pages: the change brings no new problem.`
              : `Checked ${checkedPages} pages: the change brings ${errors.length} new ${errors.length === 1 ? 'problem' : 'problems'}.`;
          await addEvent(tx, { jobId, type: 'checks', turnNo, text });
          if (told) {
            const paths = [...new Set(errors.map(({ path }) => path))];
            const notice: TranscriptEntry = { role: 'notice', kind: 'problems', paths, text: describeProblems(errors) };
            await recordPart(tx, { jobId, turnNo, stepNo: step, part: 'note', entries: [notice] });
          }
        });
        return { told, problems: errors.length };
      });
    },
  };
}

/**
 * Repeats a recording while the database is away, heartbeating: an answer that was paid for, or an edit that was made, is not
 * thrown away because of a restart of Postgres.
 */
async function keepTrying<T>(run: ActivityRun, record: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await record();
    } catch (err) {
      if (!isDatabaseUnavailable(err)) throw err;
      run.log.warn({ err }, 'the database is away; keeping the outcome and trying again');
      await sleep(1_000, undefined, { signal: run.signal });
    }
  }
}

async function callsOf(deps: ActivityDeps, jobId: string, turnNo: number, step: number): Promise<ToolCall[]> {
  const entries = (await findPart(deps.db, jobId, turnNo, step, 'model')) as TranscriptEntry[] | null;
  return entries?.flatMap((entry) => (entry.role === 'assistant' ? entry.toolCalls : [])) ?? [];
}

/** A model that goes on calling tools, or says nothing, still leaves the user an account. */
async function lastWords(deps: ActivityDeps, jobId: string, limit: LimitReached, text: string): Promise<string> {
  if (text.trim() !== '') return text;
  const changed = await listOverlay(deps.db, jobId);
  return sumUpWithoutWords(
    limit,
    changed.map(({ path }) => visibleName(path)),
  );
}

interface ModelAnswered {
  toolCalls: number;
  calls: string;
  limit?: LimitReached;
}

function answerOf(entries: unknown[]): ModelAnswered {
  const said = entries as TranscriptEntry[];
  const calls = said.flatMap((entry) => (entry.role === 'assistant' ? entry.toolCalls : []));
  const limit = limitOf(said);
  return { toolCalls: calls.length, calls: describeCalls(calls), ...(limit ? { limit } : {}) };
}

function entriesOf(rows: readonly TranscriptRow[]): TranscriptEntry[] {
  return rows.flatMap((row) => row.entries as TranscriptEntry[]);
}

function errorsOf(entries: unknown[]): { errors: number } {
  const results = (entries as TranscriptEntry[]).flatMap((entry) => (entry.role === 'tool' ? entry.results : []));
  return { errors: results.filter((result) => result.isError).length };
}
