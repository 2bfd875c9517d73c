import { z } from 'zod';
import { faultPoint } from '../../platform/faults.ts';
import { claimControlRequest, recordControlResult, requestUnknown } from '../../store/installation/control-requests.ts';
import type { ControlKind } from '../../store/schema.ts';
import type {
  ChangePullRequestInput,
  CheckHostInput,
  CheckModelInput,
  CheckRepositoryInput,
  RefreshPullRequestInput,
  TestWebhookInput,
  TestWebhookResult,
  ChangePullRequestResult,
} from '../../workflows/contract.ts';
import { checkHost, isExpectedRefusal } from './check-host.ts';
import { checkModel, testModel } from './check-model.ts';
import { attemptDelivery } from '../webhooks/webhook-attempt.ts';
import { checkRepository } from './check-repository.ts';
import { openPullRequest, refreshPullRequest } from './refresh-pull-request.ts';
import { runActivity } from '../run-activity.ts';
import type { ControlDeps, ControlRun } from './control-run.ts';
import { AppError } from '../../platform/errors.ts';
import { redact } from '../../platform/log.ts';
import { Shortage } from '@docent/base/shortage';

/** Why a pull request is not merged or closed: final until something changes. */
const REFUSALS = ['pull_request_not_open', 'merge_conflict', 'branch_checked_out', 'merge_refused'] as const;

/** Merges or closes, after asking the host. Refusals are results for a waiting person. Idempotent. */
async function changePullRequest(
  input: ChangePullRequestInput,
  deps: Pick<ControlDeps, 'db' | 'hosts'>,
  run: Pick<ControlRun, 'assertInTime'>,
): Promise<ChangePullRequestResult> {
  try {
    const found = await openPullRequest(input.pullRequestId, deps);
    if (!found) return { ok: false, code: 'pull_request_not_open', message: 'The pull request does not exist.' };
    const { pullRequest, project, there } = found;
    run.assertInTime();
    const changed =
      input.action === 'merge'
        ? await there.merge(pullRequest, project.settings.mergeMethod)
        : await there.close(pullRequest);
    return { ok: true, state: changed.state };
  } catch (err) {
    const code = err instanceof AppError && REFUSALS.find((refusal) => refusal === err.code);
    if (code) return { ok: false, code, message: redact(err.message) };
    if (err instanceof Shortage) return { ok: false, code: 'unavailable', message: redact(err.message) };
    // A person waits: temporary errors are reported, too, instead of retried for long.
    if (isExpectedRefusal(err)) return { ok: false, code: 'merge_refused', message: redact(err.message) };
    throw err;
  }
}

/** A person waits: an unexpected error is reported after one more attempt. */
const ATTEMPTS = 2;

/** Input that an API wrote, perhaps one of another version. */
const INPUTS = {
  checkRepository: z.object({
    host: z.string(),
    repository: z.string(),
    repositoryId: z.string().nullable(),
    ref: z.string().nullable(),
    docsDir: z.string(),
    site: z.string().nullable(),
    instructionFiles: z.array(z.string()).nullish(),
    styleGuides: z.array(z.string()).nullish(),
    branchPrefix: z.string().nullable().default(null),
    survey: z.boolean().optional(),
    access: z.enum(['read', 'write']).optional(),
    readFolder: z.string().optional(),
  }) satisfies z.ZodType<CheckRepositoryInput>,
  checkHost: z.object({
    host: z.string(),
    candidate: z
      .object({
        kind: z.enum(['github', 'gitlab', 'gitea']),
        webUrl: z.string(),
        apiUrl: z.string(),
        appId: z.string().nullable(),
        credential: z.base64(),
        keyId: z.string(),
      })
      .nullable()
      .default(null),
    repository: z.string().nullable(),
    ref: z.string().nullable(),
    hookUrl: z.string().nullish(),
  }) satisfies z.ZodType<CheckHostInput>,
  changePullRequest: z.object({
    pullRequestId: z.string(),
    action: z.enum(['merge', 'close']),
  }) satisfies z.ZodType<ChangePullRequestInput>,
  checkModel: z.object({ model: z.string() }) satisfies z.ZodType<CheckModelInput>,
  testModel: z.object({ model: z.string() }) satisfies z.ZodType<CheckModelInput>,
  refreshPullRequest: z.object({ pullRequestId: z.string() }) satisfies z.ZodType<RefreshPullRequestInput>,
  testWebhook: z.object({ deliveryId: z.string() }) satisfies z.ZodType<TestWebhookInput>,
};

export type ControlActivities = ReturnType<typeof createControlActivities>;

/** The activity of the short workflows that the API waits for. */
export function createControlActivities(deps: ControlDeps) {
  return {
    /**
     * Carries out a row of `control_requests` and stores the outcome there, not in the history. Rejects
     * missing, mismatched or expired rows. Idempotent: the first outcome counts.
     */
    async carryOutRequest({ requestId, kind }: { requestId: unknown; kind: ControlKind }): Promise<{ ms: number }> {
      return runActivity(deps.log, { attempts: ATTEMPTS }, async (run) => {
        if (typeof requestId !== 'string') throw requestUnknown(kind);
        const claim = await claimControlRequest(deps.db, requestId, kind);
        if (claim.kind === 'none') throw requestUnknown(kind);
        if (claim.kind === 'done') return {};
        const until = performance.now() + claim.leftMs;
        faultPoint('request-claimed');
        const assertInTime = () => {
          // A worker that was paused comes back when the caller has gone, and perhaps decided otherwise.
          if (performance.now() > until) throw requestUnknown(kind);
        };
        const result = await carryOut(kind, claim.input, deps, { ...run, assertInTime });
        faultPoint('request-carried-out');
        await recordControlResult(deps.db, requestId, result);
        return {};
      });
    },
  };
}

function carryOut(kind: ControlKind, input: unknown, deps: ControlDeps, run: ControlRun): Promise<object> {
  switch (kind) {
    case 'checkRepository':
      return checkRepository(read(kind, INPUTS.checkRepository, input), deps, run);
    case 'checkHost':
      return checkHost(read(kind, INPUTS.checkHost, input), deps);
    case 'changePullRequest':
      return changePullRequest(read(kind, INPUTS.changePullRequest, input), deps, run);
    case 'checkModel':
      return checkModel(read(kind, INPUTS.checkModel, input), deps, run);
    case 'testModel':
      return testModel(read(kind, INPUTS.testModel, input), deps, run);
    case 'refreshPullRequest':
      return refreshPullRequest(read(kind, INPUTS.refreshPullRequest, input), deps);
    case 'testWebhook':
      return testWebhook(read(kind, INPUTS.testWebhook, input), deps);
  }
}

function read<T>(kind: ControlKind, schema: z.ZodType<T>, input: unknown): T {
  const { success, data } = schema.safeParse(input);
  if (!success) throw requestUnknown(kind);
  return data;
}

/** Sends a `ping` once, now. Its rows have the outcome. Idempotent: another attempt finds it sent. */
async function testWebhook({ deliveryId }: TestWebhookInput, deps: ControlDeps): Promise<TestWebhookResult> {
  const result = await attemptDelivery(deps, deliveryId, { once: true });
  return { state: result.kind === 'over' ? result.state : result.kind };
}
