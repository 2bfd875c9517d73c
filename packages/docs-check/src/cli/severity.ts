import { styleText } from 'node:util';
import type { Problem } from '../checks/problem.ts';
import { dim } from '@docent/base/terminal/terminal-text';

const SEVERITIES: Record<Problem['severity'], (text: string) => string> = {
  error: (text) => styleText('red', text),
  warning: (text) => styleText('yellow', text),
  notice: dim,
};

/** Padded and colored. */
export function severityText(severity: Problem['severity']): string {
  return SEVERITIES[severity](severity.padEnd(7));
}
