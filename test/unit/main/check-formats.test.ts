import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseDocument } from 'htmlparser2';
import { describe, expect, test } from 'vitest';
import { externalSettings } from '@docent/docs-check/checks/external/external-settings';
import type { Problem } from '@docent/docs-check/checks/problem';
import { NOTHING_ASKED } from '@docent/docs-check/checks/style/asked-rules';
import { RULES } from '@docent/docs-check/checks/rules';
import { html } from '@docent/docs-check/cli/formats/html';
import { junit } from '@docent/docs-check/cli/formats/junit';
import type { Report } from '@docent/docs-check/cli/formats/report';
import { sarif } from '@docent/docs-check/cli/formats/sarif';
import { Site } from '../../support/fixture-site.ts';
import { sarifSchema } from '../../support/sarif-schema.ts';

const HOSTILE: Problem = {
  path: 'docs/a "b"]]><script>&\u0007\u202e%0A.md',
  line: 3,
  column: 7,
  code: 'missing-page',
  message: 'The link "<img src=x onerror=alert(1)>]]>\u0000\ufffe\ud800" is broken: its target does not exist.',
  severity: 'error',
  target: '<img src=x>',
  suggestion: '"><script>alert(1)</script>',
};
const NOTICE: Problem = { path: 'b.md', line: 1, code: 'unused-ignore', message: 'Old & unused.', severity: 'notice' };

function report(shown: Problem[], helpUrl: string | null = null): Report {
  const docs = new Site({ 'a.md': '# A\n' }).docs();
  return {
    outcome: {
      site: { kind: 'plain', folder: '', configPath: null, otherGenerator: null, unsure: null, candidates: [] },
      pages: 2,
      problems: shown,
      base: null,
      left: { ignored: 0, known: 0, off: 0 },
      foreign: [],
      settings: {
        path: null,
        levels: new Map(),
        asked: NOTHING_ASKED,
        reports: () => true,
        baselinePath: '.docent-baseline.json',
        helpUrl,
        external: externalSettings(),
        problems: [],
      },
      top: '/',
      external: null,
      suppressed: [],
      baselined: [],
      docs,
    },
    shown,
    summary: 'Checked 2 pages: <1> error.',
    fails: ({ severity }) => severity === 'error',
    all: false,
    stats: null,
    suppressed: [],
  };
}

describe('SARIF', () => {
  test('matches its schema, with rules, locations and fingerprints', () => {
    const validate = sarifSchema();
    const shown = [HOSTILE, { ...HOSTILE, line: 9 }, NOTICE];
    for (const some of [[], shown]) {
      for (const helpUrl of [null, 'https://docent.example.com/docs']) {
        const valid = validate(JSON.parse(sarif(report(some, helpUrl))));
        expect(validate.errors).toBeNull();
        expect(valid).toBe(true);
      }
    }
    const { runs } = JSON.parse(sarif(report(shown, 'https://docent.example.com/docs')));
    expect(runs[0].tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual(Object.keys(RULES));
    expect(runs[0].tool.driver.rules[2].helpUri).toBe(
      'https://docent.example.com/docs/reference/check-rules#missing-page',
    );
    const [first, second, third] = runs[0].results;
    expect(first).toMatchObject({ ruleId: 'missing-page', ruleIndex: 2, level: 'error' });
    expect(first.locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: expect.stringMatching(/^docs\/a%20%22b%22/), uriBaseId: '%SRCROOT%' },
      region: { startLine: 3, startColumn: 7 },
    });
    expect(third.level).toBe('note');
    expect(first.partialFingerprints).not.toEqual(second.partialFingerprints);
    const moved = JSON.parse(sarif(report([{ ...HOSTILE, line: 90 }]))).runs[0].results[0];
    expect(moved.partialFingerprints).toEqual(first.partialFingerprints);
  });

  test('has a section in the docs for each rule that it links to', () => {
    const page = readFileSync(path.join(import.meta.dirname, '../../../docs/reference/check-rules.mdx'), 'utf8');
    const sections = [...page.matchAll(/^### ([\w-]+)$/gm)].map(([, code]) => code);
    expect(new Set(sections)).toEqual(new Set(Object.keys(RULES)));
  });
});

describe('JUnit', () => {
  test('counts what fails, and takes any text of a repository', () => {
    const text = junit(report([HOSTILE, NOTICE]));
    expect(text).toContain('<testsuites name="docent check" tests="2" failures="1" errors="0">');
    expect(text).not.toMatch(/[^\P{Cc}\n]|[\ufffe\uffff\ud800]|<script|<img/u);
    const root = parseDocument(text, { xmlMode: true }).children.find(
      (node) => 'name' in node && node.name === 'testsuites',
    );
    const names: string[] = [];
    const visit = (node: unknown) => {
      const { name, children = [] } = node as { name?: string; children?: unknown[] };
      if (name !== undefined) names.push(name);
      for (const child of children) visit(child);
    };
    visit(root);
    expect(names).toEqual(['testsuites', 'testsuite', 'testcase', 'failure', 'testsuite', 'testcase', 'system-out']);
    expect(junit(report([]))).toContain('tests="1" failures="0"');
  });
});

describe('HTML', () => {
  test('runs nothing, loads nothing and shows text of a repository as text', () => {
    const text = html(report([HOSTILE, NOTICE], 'https://docent.example.com/docs'));
    expect(text).toMatch(/http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-[^']+'/);
    expect(text).not.toMatch(/<script|<img|onerror=alert\(1\)>|\ud800(?![\udc00-\udfff])|\u202e/);
    expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(text).toContain('<a href="https://docent.example.com/docs/reference/check-rules#missing-page"');
    expect(text).toContain('Checked 2 pages: &lt;1&gt; error.');
  });
});
