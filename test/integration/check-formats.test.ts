import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CheckFolder } from '../support/check-folder.ts';
import { sarifSchema } from '../support/sarif-schema.ts';

interface SarifResult {
  ruleId: string;
  locations: [{ physicalLocation: { artifactLocation: { uri: string } } }];
  suppressions?: unknown;
}

let folder: CheckFolder;
beforeEach(() => {
  folder = new CheckFolder();
});
afterEach(() => folder.remove());

describe('docent check --format sarif', () => {
  test('has the edit for a suggestion, and with --suppressed ignored and known problems', async () => {
    folder.write({
      'guide.md': '# A\r\n\r\nŸ [x](gide.md#a) <!-- -->\r\n',
      'known.md': '[k](known-gone.md)\n',
      'b.md': '<!-- docent-ignore-next-line missing-page: the build makes it -->\n[y](made.md)\n',
    });
    await folder.check(['--update-baseline', '.', '--json']);
    folder.write({ 'guide.md': '# A\r\n\r\nŸ [x](gide.md#a) [z](Known.md)\r\n' });
    const validate = sarifSchema();
    const run = async (...args: string[]) => {
      const { out, code } = await folder.check(['--format', 'sarif', ...args]);
      const report = JSON.parse(out);
      expect(validate(report)).toBe(true);
      return { code, results: report.runs[0].results };
    };
    const { results, code } = await run();
    expect(code).toBe(1);
    expect(results).toHaveLength(1);
    const [fix] = results[0].fixes;
    expect(fix.artifactChanges).toEqual([
      {
        artifactLocation: { uri: 'guide.md', uriBaseId: '%SRCROOT%' },
        replacements: [
          {
            deletedRegion: { startLine: 3, startColumn: 22, endLine: 3, endColumn: 30 },
            insertedContent: { text: 'known.md' },
          },
        ],
      },
    ]);
    const all = await run('--suppressed');
    expect(all.code).toBe(1);
    const suppressions = all.results.map(({ ruleId, locations, suppressions: by }: SarifResult) => [
      ruleId,
      locations[0].physicalLocation.artifactLocation.uri,
      by,
    ]);
    expect(suppressions).toEqual([
      ['missing-page', 'guide.md', undefined],
      ['missing-page', 'b.md', [{ kind: 'inSource', justification: 'the build makes it' }]],
      ['missing-page', 'guide.md', [{ kind: 'external' }]],
      ['missing-page', 'known.md', [{ kind: 'external' }]],
    ]);
    expect(await folder.check(['--suppressed'])).toMatchObject({ code: 2 });
  });
});

describe('--output', () => {
  test('writes the report, prints a summary, and ends as without it', async () => {
    folder.write({ 'a.md': '[b](b.md)\n' });
    const { code, out } = await folder.check(['--format', 'sarif', '--output', 'out.sarif'], {
      env: { GITHUB_ACTIONS: 'true' },
    });
    expect({ code, out }).toEqual({ code: 1, out: 'Checked 1 page of plain Markdown: 1 error.\n' });
    const { runs } = JSON.parse(readFileSync(path.join(folder.path, 'out.sarif'), 'utf8'));
    expect(runs[0].results).toHaveLength(1);
    expect(await folder.check(['--output', 'no/where.txt'])).toMatchObject({ code: 2 });
  });
});
