import { markup, type Html } from '../html.ts';

/** The page that holds the reference. @param home this server's path, as browsers see it */
export function referencePage(prefix: string, home: string): Html {
  return markup`<main id="docs.content" class="reference-page" tabindex="-1">
<h1>API reference</h1>
<p class="lead">Every operation of this server, from the contract that it serves.</p>
<p>Open an operation and press <strong>Try it out</strong>. Requests go to this server alone, and do what they say. They are sent with the session of
this browser where you have signed in, or with a key that you paste under <strong>Authorize</strong>: it is forgotten when you leave the page.
<a href="${prefix}/reference/api">How the API works</a> ·
<a href="${prefix}/reference/errors">Errors</a> · <a href="${home}openapi.json">openapi.json</a> · <a href="${home}openapi.yaml">openapi.yaml</a></p>
<h2 class="unseen">Operations</h2>
<div id="reference" data-home="${home}"><p class="loading">Loading the contract …</p></div>
<noscript><p>The reference needs JavaScript. <a href="${home}openapi.yaml">openapi.yaml</a> has all of it.</p></noscript>
</main>`;
}
