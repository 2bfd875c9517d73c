import { defaultPayloadConverter } from '@temporalio/common';
import type { ActivityInterceptorsFactory, InjectedSinks } from '@temporalio/worker';
import { addSpan, beginSpan, isTracing } from '../platform/telemetry/spans.ts';
import { TRACE_HEADER, traceparentIn, type TurnSinks } from '../workflows/contract.ts';

/** Attempts of activities, in the trace of their run, or in a new one for scheduled runs. */
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

/** Turns, as reported by their runs. A replay does not report them again. */
export const turnSinks: InjectedSinks<TurnSinks> = {
  traces: {
    turnEnded: {
      fn: (_info, { turn, ...span }) => addSpan({ ...span, name: 'turn', fields: { 'docent.turn': turn } }),
      callDuringReplay: false,
    },
  },
};
