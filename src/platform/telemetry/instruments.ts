import { metrics, type Counter, type Histogram, type Meter } from '@opentelemetry/api';

/*
 * Metrics of the running product. Each function costs nothing if metrics are off. Attributes are only our own
 * names (operations, activities, outcomes, models of the installation): never an address, a project, a prompt
 * or a path.
 */

/** Seconds, from a question of the cube to a turn of a model. */
const SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** An HTTP request was answered: https://opentelemetry.io/docs/specs/semconv/http/http-metrics/ */
export function requestAnswered(operation: string | undefined, method: string, status: number, ms: number): void {
  instruments().requests.record(ms / 1_000, {
    'http.request.method': METHODS.has(method) ? method : '_OTHER',
    'http.response.status_code': status,
    'docent.operation': operation ?? 'none',
  });
}

/** An activity of a workflow ended: done, to be retried, failed, or canceled. */
export function activityEnded(
  activity: string,
  outcome: 'done' | 'retried' | 'failed' | 'cancelled',
  ms: number,
): void {
  instruments().activities.record(ms / 1_000, { 'docent.activity': activity, 'docent.outcome': outcome });
}

/** A model answered: https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-metrics/ */
export function modelAnswered(
  model: string,
  usage: { inputTokens: number; cachedInputTokens: number; outputTokens: number },
  ms: number,
): void {
  const { tokens, modelCalls } = instruments();
  const at = { 'gen_ai.request.model': model };
  tokens.add(usage.inputTokens, { ...at, 'gen_ai.token.type': 'input' });
  tokens.add(usage.cachedInputTokens, { ...at, 'gen_ai.token.type': 'cached_input' });
  tokens.add(usage.outputTokens, { ...at, 'gen_ai.token.type': 'output' });
  modelCalls.record(ms / 1_000, at);
}

/** Page views came in: counted, known already, or refused. */
export function eventsTaken(result: { accepted: number; duplicates: number; rejected: readonly unknown[] }): void {
  const { events } = instruments();
  events.add(result.accepted, { 'docent.outcome': 'accepted' });
  events.add(result.duplicates, { 'docent.outcome': 'duplicate' });
  events.add(result.rejected.length, { 'docent.outcome': 'rejected' });
}

/** Page views were put on disk. */
export function logAppended(ms: number): void {
  instruments().appends.record(ms / 1_000);
}

/** A question about page views was answered. */
export function questionAnswered(ms: number): void {
  instruments().questions.record(ms / 1_000);
}

/** Maintenance removed expired data. @param rule as `RetentionRule` of the store has it */
export function expiredDeleted(rule: string, count: number): void {
  instruments().removed.add(count, { 'docent.rule': rule });
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

interface Instruments {
  requests: Histogram;
  activities: Histogram;
  modelCalls: Histogram;
  tokens: Counter;
  events: Counter;
  appends: Histogram;
  questions: Histogram;
  removed: Counter;
}

let made: { meter: Meter; instruments: Instruments } | undefined;

/** The instruments of the current provider: see {@link startTelemetry}. Without one, they do nothing. */
function instruments(): Instruments {
  const provider = metrics.getMeterProvider();
  const meter = provider.getMeter('docent');
  if (made?.meter === meter) return made.instruments;
  const seconds = (name: string, description: string) =>
    meter.createHistogram(name, { description, unit: 's', advice: { explicitBucketBoundaries: SECONDS } });
  const instruments = {
    requests: seconds('http.server.request.duration', 'Duration of HTTP requests.'),
    activities: seconds('docent.activity.duration', 'Duration of activity attempts.'),
    modelCalls: seconds('gen_ai.client.operation.duration', 'Duration of model requests.'),
    tokens: meter.createCounter('docent.model.tokens', {
      description: 'Tokens that models read and wrote.',
      unit: '{token}',
    }),
    events: meter.createCounter('docent.events', { description: 'Received page views.', unit: '{event}' }),
    appends: seconds('docent.event_log.append.duration', 'Time until page views are on disk.'),
    questions: seconds('docent.analytics.question.duration', 'Duration of analytics queries.'),
    removed: meter.createCounter('docent.retention.removed', {
      description: 'Deleted expired jobs and audit log entries.',
      unit: '{row}',
    }),
  };
  made = { meter, instruments };
  return instruments;
}
