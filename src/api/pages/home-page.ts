import { markup } from './html.ts';
import { page } from './layout.ts';

/** What a browser gets that opens the server's address. Tells nothing that is not everybody's. */
export function homePage(pathOf: (path: string) => string): string {
  return page(
    'Docent',
    markup`<h1>Docent runs here</h1>
<p>A documentation agent: a prompt becomes a pull request. Beside it, exact counts of who reads your docs.</p>
<p class="soft">There is no dashboard at this address: Docent is used from a terminal, and through its API.</p>
<h2>From a terminal</h2>
<div class="panel"><ul>
<li><code>docent project list</code> shows the projects, <code>docent project create</code> makes one.</li>
<li><code>docent job run --project PROJECT "…"</code> posts a prompt and follows the job to its pull request.</li>
<li><code>docent key create</code> makes a key for a program that uses the API.</li>
</ul></div>
<h2>For programs</h2>
<div class="panel"><ul>
<li><a href="${pathOf('/openapi.json')}">openapi.json</a> and <a href="${pathOf('/openapi.yaml')}">openapi.yaml</a>: every route, field, limit and error.</li>
<li><a href="${pathOf('/healthz')}">healthz</a> and <a href="${pathOf('/readyz')}">readyz</a>: whether the server lives, and whether it can do its work.</li>
</ul></div>`,
  );
}
