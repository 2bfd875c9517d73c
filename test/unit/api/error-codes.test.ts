import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import document from '../../../src/api/generated/openapi.json' with { type: 'json' };
import { statusOf } from '../../../src/api/contract/error-status.ts';
import { AppError, type ErrorCode } from '../../../src/platform/errors.ts';

const root = path.join(import.meta.dirname, '..', '..', '..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** Their unions of codes raise nothing. */
const TYPES = ['src/platform/errors.ts', 'packages/models/src/model.ts'];

const sources = globSync('{src,packages/{agent,code-hosts,git,models}/src}/**/*.ts', { cwd: root })
  .filter((file) => !file.includes('generated') && !TYPES.includes(file))
  .map(read)
  .join('\n');

/** Those of the contract, or of a union of string literals in errors.ts. */
function codesOf(type: 'ErrorCode' | 'JobFailureCode'): string[] {
  if (type === 'ErrorCode') return document.components.schemas.ErrorCode.enum.toSorted();
  const declared = new RegExp(`export type ${type} =([^;]+);`).exec(read('src/platform/errors.ts'))?.[1] ?? '';
  return [...declared.matchAll(/'(\w+)'/g)].map(([, code]) => code!).toSorted();
}

/** The codes of the table below a heading of docs/reference/errors.mdx. */
function documentedIn(heading: string, column: number): string[] {
  const section = read('docs/reference/errors.mdx').split(`## ${heading}\n`)[1]?.split(/^## /m)[0] ?? '';
  const cells = section
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|')[column] ?? '');
  return cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, code]) => code!)).toSorted();
}

describe('error codes', () => {
  test('of the API are those that the documentation explains', () => {
    expect(documentedIn('Errors of the API', 2)).toEqual(codesOf('ErrorCode'));
  });

  test.each(codesOf('ErrorCode'))('%s has the status that the documentation says, and its anchor there', (code) => {
    const [, status] =
      new RegExp(`^\\| (\\d{3}) \\| <a id="${code}" />\`${code}\` \\|`, 'm').exec(read('docs/reference/errors.mdx')) ??
      [];
    expect(statusOf(new AppError(code as ErrorCode, 'A sentence.'))).toBe(Number(status));
  });

  test('of failed jobs are those that the documentation explains', () => {
    expect(documentedIn('Why a job fails', 1)).toEqual(codesOf('JobFailureCode'));
  });

  test.each([...codesOf('ErrorCode'), ...codesOf('JobFailureCode')])('%s is raised somewhere', (code) => {
    expect(sources).toContain(`'${code}'`);
  });

  test.each(codesOf('JobFailureCode'))('%s is in the description of a job', (code) => {
    expect(read('openapi.yaml')).toContain(`\`${code}\``);
  });
});
