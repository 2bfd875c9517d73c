import type { Headers } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import type { ActivityInterceptorsFactory, InjectedSinks } from '@temporalio/worker';
import { addSpan, beginSpan, isTracing } from '../platform/telemetry/spans.ts';
import { TRACE_HEADER, type TurnSinks } from '../workflows/contract.ts';

/** Attempts of activities, in the trace of their run, or of their own where a schedule began it. */
export const activityTraces: ActivityInterceptorsFactory = ({ info }) => ({
  inbound: {
    execute(input, next) {
      if (!isTracing()) return next(input);
      const start = {
        name: `activity ${info.activityType}`,
        kind: 'consumer',
        fields: { 'docent.activity': info.activityType, 'docent.attempt': info.attempt },
      } as const;
      return beginSpan(start, traceparentIn(input.headers), () => next(input));
    },
  },
});

/** Turns, as their runs tell of them. A run that is replayed told it when it ran. */
export const turnSinks: InjectedSinks<TurnSinks> = {
  traces: {
    turnEnded: {
      fn: (_info, { turn, ...span }) => addSpan({ ...span, name: 'turn', fields: { 'docent.turn': turn } }),
      callDuringReplay: false,
    },
  },
};

function traceparentIn(headers: Headers): string | undefined {
  const payload = headers[TRACE_HEADER];
  return payload && defaultPayloadConverter.fromPayload<{ traceparent: string }>(payload).traceparent;
}
