import type { Headers, WorkflowClientInterceptor } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import { beginSpan, traceparent } from '../platform/telemetry/spans.ts';
import { TRACE_HEADER } from '../workflows/contract.ts';

/** Runs that a client starts and signals continue the client's trace. */
export const clientTraces: WorkflowClientInterceptor = {
  startWithDetails: (input, next) => sent(`start ${input.workflowType}`, input, next),
  signal: (input, next) => sent(`signal ${input.signalName}`, input, next),
  signalWithStart: (input, next) => sent(`signal ${input.signalName}`, input, next),
};

function sent<Input extends { readonly headers: Headers }, T>(
  name: string,
  input: Input,
  next: (input: Input) => Promise<T>,
): Promise<T> {
  return beginSpan({ name, kind: 'producer' }, undefined, () => {
    const own = traceparent();
    if (own === undefined) return next(input);
    const header = defaultPayloadConverter.toPayload({ traceparent: own });
    return next({ ...input, headers: { ...input.headers, [TRACE_HEADER]: header } });
  });
}
