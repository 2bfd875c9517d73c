import {
  defaultPayloadConverter,
  type Headers,
  type WorkflowInterceptors,
  type WorkflowInterceptorsFactory,
} from '@temporalio/workflow';
import { TRACE_HEADER, traceparentIn } from './contract.ts';
import { runTraces } from './run-traces.ts';

/** Carries traces from starts and signals to activities, in headers, which replays do not compare. */
export const interceptors: WorkflowInterceptorsFactory = (): WorkflowInterceptors => ({
  inbound: [
    {
      execute(input, next) {
        runTraces.received(traceOf(input.headers));
        return next(input);
      },
      handleSignal(input, next) {
        runTraces.received(traceOf(input.headers));
        return next(input);
      },
    },
  ],
  outbound: [
    {
      scheduleActivity: (input, next) => next({ ...input, headers: withTrace(input.headers, runTraces.current) }),
      continueAsNew: (input, next) => next({ ...input, headers: withTrace(input.headers, runTraces.next) }),
    },
  ],
});

function traceOf({ [TRACE_HEADER]: payload }: Headers): string | undefined {
  return traceparentIn(() => payload && defaultPayloadConverter.fromPayload(payload));
}

function withTrace(headers: Headers, traceparent: string | undefined): Headers {
  if (traceparent === undefined) return headers;
  return { ...headers, [TRACE_HEADER]: defaultPayloadConverter.toPayload({ traceparent }) };
}
