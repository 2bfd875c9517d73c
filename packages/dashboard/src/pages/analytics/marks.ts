import { api, answerOf } from '../../api/client.ts';
import type { Annotation, Mark } from './chart.tsx';
import { rangeQuery, type Span } from './range.ts';

/** The newest hundred marks in a span. */
export async function loadAnnotations(projectId: string, span: Span, signal: AbortSignal): Promise<Annotation[]> {
  const found = await answerOf(
    api.GET('/v1/analytics/{projectId}/annotations', {
      params: { path: { projectId }, query: { ...rangeQuery(span), limit: 100 } },
      signal,
    }),
  );
  return found.annotations;
}

/** To the day or the hour that they are in. */
export function marksIn(annotations: readonly Annotation[], unit: 'day' | 'hour'): Mark[] {
  const length = unit === 'day' ? 86_400 : 3_600;
  return annotations.map(({ at, text, jobId }) => ({
    at: Math.floor(Date.parse(at) / 1_000 / length) * length,
    title: text,
    jobId,
  }));
}
