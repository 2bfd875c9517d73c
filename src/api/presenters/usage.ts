import type { JobRow } from '../../store/jobs/jobs.ts';
import type { DayUsage, ModelCallRow, UsageSums } from '../../store/jobs/model-calls.ts';
import type { components } from '@docent/client';

type Usage = components['schemas']['Usage'];

/** If a part of the cost is unknown, so is the total. */
export function presentUsage(sums: UsageSums): Usage {
  const { modelCalls, inputTokens, cachedInputTokens, outputTokens, costNanoUsd, unpricedCalls } = sums;
  const costUsd = unpricedCalls > 0 ? null : costNanoUsd / 1_000_000_000;
  return { modelCalls, inputTokens, cachedInputTokens, outputTokens, costUsd };
}

export function presentJobUsage(job: JobRow, calls: readonly ModelCallRow[]): components['schemas']['JobUsage'] {
  return {
    usage: presentUsage(job),
    turns: [...Map.groupBy(calls, ({ turnNo }) => turnNo)].map(([turn, ofTurn]) => ({
      turn,
      usage: presentUsage(sum(ofTurn.map(sumsOfCall))),
      steps: ofTurn.map((call) => ({
        step: call.stepNo,
        model: call.model,
        usage: presentUsage(sumsOfCall(call)),
        createdAt: call.createdAt.toISOString(),
      })),
    })),
  };
}

export function presentProjectUsage(days: readonly DayUsage[]): components['schemas']['ProjectUsage'] {
  return {
    usage: presentUsage(sum(days)),
    days: days.map((day) => ({ day: day.day, jobs: day.jobs, usage: presentUsage(day) })),
  };
}

function sumsOfCall({ inputTokens, cachedInputTokens, outputTokens, costNanoUsd }: ModelCallRow): UsageSums {
  return {
    modelCalls: 1,
    inputTokens,
    cachedInputTokens,
    outputTokens,
    costNanoUsd: costNanoUsd ?? 0,
    unpricedCalls: costNanoUsd === null ? 1 : 0,
  };
}

function sum(parts: readonly UsageSums[]): UsageSums {
  const total = (field: keyof UsageSums) => parts.reduce((value, part) => value + part[field], 0);
  return {
    modelCalls: total('modelCalls'),
    inputTokens: total('inputTokens'),
    cachedInputTokens: total('cachedInputTokens'),
    outputTokens: total('outputTokens'),
    costNanoUsd: total('costNanoUsd'),
    unpricedCalls: total('unpricedCalls'),
  };
}
