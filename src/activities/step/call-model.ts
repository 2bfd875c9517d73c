import { effectiveSettings } from '../../store/projects/project-settings.ts';
import { askToSumUp, sumUpWithoutModel } from '@docent/agent/last-message';
import type { LimitReached } from '@docent/models/conversation/limit-reached';
import { judgeLoop } from '@docent/agent/loop-guard';
import type { Model, ModelAnswer, ModelProgress } from '@docent/models/model';
import { costInNanoUsd } from '@docent/models/cost';
import { buildSystemPrompt } from '@docent/agent/prompt';
import type { TranscriptEntry } from '@docent/models/conversation/transcript';
import { visibleName } from '@docent/docs-check/read/visible-text';
import { faultPoint } from '../../platform/faults.ts';
import { modelAnswered } from '../../platform/telemetry/instruments.ts';
import { inSpan } from '../../platform/telemetry/spans.ts';
import type { Db } from '../../store/database.ts';
import { modeOf, type Effort } from '../../store/job-options.ts';
import { listOverlay } from '../../store/jobs/overlay.ts';
import { beginPart, recordAnswer } from '../../store/jobs/steps.ts';
import { takeMessages, type MessageRow } from '../../store/jobs/turns.ts';
import { holds, updateClaimedTurn, type TurnRow } from '../../store/jobs/turn-fence.ts';
import { filesFor, messageEntries, toolsFor, unseenImages } from './attached.ts';
import { awaitBudget } from './await-budget.ts';
import { docsOf, type ActivityDeps } from '../deps.ts';
import { fitToWindow, shorterStill, type Conversation, type Fitting } from './fit-to-window.ts';
import { ModelWatch } from './model-watch.ts';
import { findModel, retryOrFail } from './model-failure.ts';
import { answerOf, withStop, type ModelAnswered } from './recorded-answer.ts';
import { allowedSecrets } from './outgoing-secrets.ts';
import { LiveText } from './live-text.ts';
import { keepTrying, runActivity, type ActivityRun } from '../run-activity.ts';
import type { StepAt } from '../open/turn-context.ts';
import { answerEvent } from './step-events.ts';
import { locateTurn } from '../open/locate-turn.ts';
import { located, snapshotOf } from '../open/turn-context.ts';

/** The first half of a step. Records its outcome once; a repeat returns the recorded outcome. */
export function createModelActivities(deps: ActivityDeps) {
  const { db, agents, log } = deps;

  return {
    /**
     * Gives the agent the waiting messages and asks the model for its next answer. Each crash costs at most
     * one extra model call: the first recorded answer wins, and its usage is recorded with it. The turn's
     * first step begins with locating the repository: see {@link locateTurn}.
     * @param input.limit the turn ends: the agent gets no more messages, and is asked to sum up
     * @returns the number of tool calls (0: done), their short description, the limit if these were the
     *   closing words, and `again` if the model must be asked again
     */
    async callModel(input: StepAt & { limit?: LimitReached }): Promise<ModelAnswered & { ms: number }> {
      const { jobId, turn, step } = input;
      return runActivity(log, { jobId, turn, step }, async (run) => {
        if (step === 1) await locateTurn(deps, { jobId, turn }, run);
        return answerStep(input, run);
      });
    },
  };

  async function answerStep(input: StepAt & { limit?: LimitReached }, run: ActivityRun): Promise<ModelAnswered> {
    const { jobId, turn: turnNo, step } = input;
    const begun = await beginPart(db, { jobId, turnNo, stepNo: step, part: 'model' });
    if (begun.recorded) return answerOf(begun.recorded);
    const startedAt = performance.now();
    const { claim, job, project } = begun;
    const turn = located(claim);
    const rows = await deps.transcripts.read(db, jobId);
    const ofTurn = rows.filter((row) => row.turnNo === turnNo && row.stepNo < step);
    const verdict = judgeLoop(ofTurn);
    const limit = input.limit ?? (verdict.kind === 'stop' ? verdict.limit : null);
    const taken = begun.hasMessages
      ? await takeClaimedMessages(db, claim, step, limit ? 0 : deps.settings.messagesPerTurn)
      : [];
    const model = await findModel(deps, job.model);
    const said: TranscriptEntry[] = await messageEntries(db, taken);
    if (limit) said.push(askToSumUp(limit));
    else if (verdict.kind === 'warn') said.push({ role: 'notice', kind: 'repeating', text: verdict.text });
    const snapshotPath = await snapshotOf(deps, begun, turn, run);
    const found = await agents.readInstructions({ snapshotPath, ...docsOf(project) }, { signal: run.signal });
    const { webPages } = effectiveSettings(project.settings);
    const frame = {
      system: buildSystemPrompt({
        projectId: project.id,
        docsDir: project.docsDir,
        mode: modeOf(job),
        sources: turn.sources ?? [],
        webPages,
        ...found,
      }),
      tools: toolsFor([...rows.flatMap(({ entries }) => entries), ...said], {
        readOnly: modeOf(job) === 'ask',
        sources: (turn.sources ?? []).length > 0,
        webPages: webPages.length > 0,
      }),
    };
    const at = { jobId, turnNo, stepNo: step, projectId: project.id, model: model.id };
    const watch = new ModelWatch(db, claim, { step, attempt: run.attempt, log: run.log });
    const words = new LiveText(db, claim, {
      step,
      attempt: run.attempt,
      allowed: allowedSecrets(project),
      log: run.log,
    });
    try {
      const conversation = await fitToWindow({ deps, claim, frame, model, at }, rows, said);
      await awaitBudget({ deps, job, project, model, at, run, watch }, conversation);
      const answer = await ask(
        { deps, claim, frame, model, at, run, watch, words, limit, effort: job.options.effort },
        conversation,
      );
      const last = limit && (await finalMessage(deps, jobId, limit, answer.text));
      await watch.stop();
      faultPoint('model-answered');
      const entries = [
        ...said,
        ...withStop(
          { ...answer, text: last ?? answer.text, toolCalls: last === null ? answer.toolCalls : [] },
          ofTurn.flatMap((row) => row.entries),
          last === null ? frame.tools.map(({ name }) => name) : [],
        ),
      ];
      const event = await answerEvent({
        step,
        answer: entries,
        limit,
        besides: unseenImages(said, model),
        allowed: allowedSecrets(project),
      });
      const { inputTokens, cachedInputTokens, outputTokens } = answer.usage;
      const costNanoUsd = costInNanoUsd(answer.usage, model.price);
      modelAnswered(model.id, answer.usage, performance.now() - startedAt);
      const kept = await keepTrying(run, () =>
        recordAnswer(db, claim, {
          at,
          entries,
          usage: { inputTokens, cachedInputTokens, outputTokens, costNanoUsd },
          activityMs: performance.now() - startedAt,
          event,
        }),
      );
      faultPoint('model-recorded');
      return answerOf(kept.entries);
    } finally {
      await Promise.all([watch.stop(), words.stop()]);
    }
  }
}

/** Messages for the step, if this attempt still holds the turn. @throws TurnSuperseded when it does not */
async function takeClaimedMessages(db: Db, claim: TurnRow, stepNo: number, limit: number): Promise<MessageRow[]> {
  const taken = await takeMessages(db, { jobId: claim.jobId, turnNo: claim.no, stepNo }, limit, holds(claim));
  if (taken.length === 0) await updateClaimedTurn(db, claim, {});
  return taken;
}

/** Asks until there is an answer or a reason for none. Shortens a conversation that is too long. */
async function ask(
  step: Fitting & {
    deps: ActivityDeps;
    run: ActivityRun;
    watch: ModelWatch;
    words: LiveText;
    limit: LimitReached | null;
    effort: Effort | undefined;
  },
  first: Conversation,
): Promise<ModelAnswer> {
  const { deps, frame, model, at, run, watch, words, limit, effort } = step;
  const onProgress = (progress: ModelProgress) => {
    watch.show(progress);
    words.show(progress.text);
  };
  for (let conversation: Conversation | null = first; ;) {
    watch.begin();
    words.begin();
    try {
      const request = {
        ...frame,
        transcript: conversation.transcript,
        ...(await filesFor(deps.db, conversation.transcript, model)),
        cacheKey: at.jobId,
        ...(limit ? { toolChoice: 'none' as const } : {}),
        ...(effort ? { effort } : {}),
      };
      return await inModelSpan(model, () => model.respond(request, { signal: run.signal, onProgress }));
    } catch (err) {
      const shorter: Conversation | null = await shorterStill(step, conversation, err);
      if (!shorter) throw await retryOrFail(err, { run, watch, settings: deps.settings });
      conversation = shorter;
    }
  }
}

/** If a model keeps calling tools, or returns no text, the user still gets an account. */
async function finalMessage(deps: ActivityDeps, jobId: string, limit: LimitReached, text: string): Promise<string> {
  if (text.trim() !== '') return text;
  const changed = await listOverlay(deps.db, jobId);
  return sumUpWithoutModel(
    limit,
    changed.map(({ path }) => visibleName(path)),
  );
}

/** https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/ without texts. */
function inModelSpan({ id }: Model, ask: () => Promise<ModelAnswer>): Promise<ModelAnswer> {
  const [provider] = id.split('/', 1);
  const fields = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': provider,
    'gen_ai.request.model': id,
  };
  return inSpan({ name: `chat ${id}`, kind: 'client', fields }, async (span) => {
    const answer = await ask();
    span.set({
      'gen_ai.usage.input_tokens': answer.usage.inputTokens,
      'gen_ai.usage.output_tokens': answer.usage.outputTokens,
      'docent.stop': answer.stop,
    });
    return answer;
  });
}
