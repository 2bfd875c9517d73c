import { defaultPayloadConverter } from '@temporalio/common';
import type { ActivityInterceptorsFactory, InjectedSinks } from '@temporalio/worker';
import { addSpan, beginSpan, isTracing } from '../platform/telemetry/spans.ts';
import { TRACE_HEADER, traceparentIn, type TurnSinks } from '../workflows/contract.ts';

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
      const payload = input.headers[TRACE_HEADER];
      const parent = traceparentIn(() => payload && defaultPayloadConverter.fromPayload(payload));
      return beginSpan(start, parent, () => next(input));
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
