import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import type { Findings, LedgerAnswer } from './ledger-file.ts';

interface Contract {
  paths: Record<string, Record<string, { responses?: Record<string, unknown> }>>;
  components: { schemas: { ErrorCode: { enum: string[] } } };
}

/** Statuses that need `Retry-After`. */
const WITH_TIME = [429, 503, 507];

/** Every answer is in openapi.yaml: its status at this operation, and its code among the codes. */
export async function checkAnswers(file: string, answers: readonly LedgerAnswer[]): Promise<Findings> {
  const { paths, components } = parse(await readFile(file, 'utf8')) as Contract;
  const codes = new Set(components.schemas.ErrorCode.enum);
  const wrong = answers.flatMap(({ method, route, status, code, hasRetryAfter, isWhole, times }) => {
    const what = `${times} × ${method.toUpperCase()} ${route} ${status} ${code ?? ''}`;
    if (!paths[route]?.[method]?.responses?.[String(status)]) return [`${what}: the contract has no such answer.`];
    if (status < 400) return [];
    return [
      ...(code !== null && codes.has(code) ? [] : [`${what}: the contract has no such code.`]),
      ...(isWhole ? [] : [`${what}: without sentence, code or request id.`]),
      ...(status === 500 ? [`${what}: an error of the server's own.`] : []),
      ...(WITH_TIME.includes(status) && !hasRetryAfter ? [`${what}: does not say when to come again.`] : []),
    ];
  });
  return { wrong, looked: { answers: answers.reduce((sum, { times }) => sum + times, 0) } };
}
