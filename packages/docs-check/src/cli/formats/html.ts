import { createHash } from 'node:crypto';
import { ruleOf, type Problem } from '../../checks/problem.ts';
import { RULES } from '../../checks/rules.ts';
import { siteText } from '../../read/describe-site.ts';
import { VERSION } from '../../version.ts';
import { oneLine } from '../one-line.ts';
import { helpAddress, type Report } from './report.ts';

const STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; --line: #8884; --error: #b3261e; --warning: #8a5a00; }
@media (prefers-color-scheme: dark) { :root { --error: #ff8a80; --warning: #ffc266; } }
body { max-width: 72rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.4rem; margin: 0 0 .25rem; }
h2 { font-size: 1rem; margin: 1.75rem 0 .25rem; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; }
th { text-align: left; font-weight: 600; }
th, td { border-top: 1px solid var(--line); padding: .3rem .75rem .3rem 0; vertical-align: top; }
td:last-child, th:last-child { padding-right: 0; overflow-wrap: anywhere; }
.place, .code { white-space: nowrap; font-variant-numeric: tabular-nums; }
.error { color: var(--error); font-weight: 600; }
.warning { color: var(--warning); font-weight: 600; }
@media (min-width: 48rem) {
  table { table-layout: fixed; }
  th:nth-child(1), th:nth-child(2) { width: 6rem; }
  th:nth-child(3) { width: 13rem; }
  .code { white-space: normal; overflow-wrap: anywhere; }
}
@media (max-width: 36rem) {
  tr { display: flex; flex-wrap: wrap; column-gap: .75rem; border-top: 1px solid var(--line); padding: .3rem 0; }
  tr:has(th) { display: none; }
  td { border: 0; padding: 0; }
  td:last-child { flex-basis: 100%; }
}
footer { margin-top: 2rem; opacity: .7; }
`;

/**
 * Problems as one page for people: no script, nothing loaded, and no text of the repository that is not
 * escaped.
 */
export function html({ outcome, shown, summary }: Report): string {
  const files = [...Map.groupBy(shown, ({ path }) => path)];
  const hash = createHash('sha256').update(STYLE).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  const rows = ({ line, column, code, rule, severity, message, suggestion }: Problem) => {
    const address = helpAddress(outcome, code);
    const words = escaped(ruleOf({ code, ...(rule !== undefined && { rule }) }));
    const name = address === null ? words : `<a href="${escaped(address)}" rel="noreferrer">${words}</a>`;
    const hint = suggestion === undefined ? '' : `<br>Did you mean <code>${escaped(suggestion)}</code>?`;
    return `<tr><td class="place">${line}:${column ?? 1}</td><td class="${severity}">${severity}</td><td class="code" title="${escaped(RULES[code].summary)}">${name}</td><td>${escaped(message)}${hint}</td></tr>`;
  };
  const sections = files.map(
    ([path, problems]) =>
      `<section>\n<h2>${escaped(path)}</h2>\n<table>\n<tr><th scope="col">Place</th><th scope="col">Severity</th><th scope="col">Rule</th><th scope="col">Problem</th></tr>\n${problems.map(rows).join('\n')}\n</table>\n</section>\n`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width">
<meta name="referrer" content="no-referrer">
<title>Docs check: ${escaped(siteText(outcome.site))}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Docs check</h1>
<p>${summary.split('\n').map(escaped).join('<br>')}</p>
${sections.join('')}</main>
<footer>Docent ${escaped(VERSION)}</footer>
</body>
</html>
`;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escaped(text: string): string {
  return oneLine(text.toWellFormed()).replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}
