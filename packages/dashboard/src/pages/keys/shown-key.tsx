import type { CreatedKey } from '@docent/client';
import { Button } from '../../parts/button.tsx';
import { Dialog, OnceDialog } from '../../parts/dialog.tsx';
import { Snippet } from '../../parts/copy.tsx';
import { BASE } from '../../shell/address.ts';
import { text } from '../../text.ts';

const { keys: w } = text;

/** A new key, with text to paste for its use. It is neither in storage nor in the address. */
export function ShownKey({ made, projectId, onClose }: { made: CreatedKey; projectId: string; onClose: () => void }) {
  const server = new URL(BASE, location.origin).href.replace(/\/$/, '');
  const { key } = made;
  if (key === null) return <LostKey name={made.name} onClose={onClose} />;
  return (
    <OnceDialog title={made.name} isWide done={w.done} onClose={onClose}>
      <p>
        <strong>{w.shownOnce}</strong>
      </p>
      <Snippet code={key} title={w.key} />
      <Snippet title={w.curl} code={curlFor(made, { server, key, projectId })} />
      {(made.scopes.includes('write') || made.scopes.includes('read')) && (
        <Snippet title={w.client} code={clientFor(made, { server, key, projectId })} />
      )}
    </OnceDialog>
  );
}

/** The answer that created it was lost: on a repeat, the server no longer knows the key itself. */
function LostKey({ name, onClose }: { name: string; onClose: () => void }) {
  return (
    <Dialog title={name} onClose={onClose}>
      <div class="body">
        <p>{w.answerLost}</p>
      </div>
      <footer>
        <Button kind="primary" onClick={onClose}>
          {w.done}
        </Button>
      </footer>
    </Dialog>
  );
}

interface Values {
  server: string;
  key: string;
  projectId: string;
}

/** A request that this key may make. */
function curlFor({ scopes }: CreatedKey, { server, key, projectId }: Values): string {
  const as = `  -H 'Authorization: Bearer ${key}'`;
  const json = `  -H 'Content-Type: application/json'`;
  if (scopes.includes('write')) {
    return `curl ${server}/v2/agent/${projectId}/job \\\n${as} \\\n${json} \\\n  -d '{"prompt": "Fix broken links"}'`;
  }
  if (scopes.includes('events') && !scopes.includes('read')) {
    return `curl ${server}/v1/analytics/${projectId}/events \\\n${as} \\\n${json} \\\n  -d '{"events": [{"timestamp": "${new Date().toISOString()}", "path": "/", "visitorId": "someone"}]}'`;
  }
  return `curl ${server}/v1/analytics/${projectId}/visitors \\\n${as}`;
}

function clientFor({ scopes }: CreatedKey, { server, key, projectId }: Values): string {
  const path = `params: { path: { projectId: '${projectId}' } }`;
  const call = scopes.includes('write')
    ? `await client.POST('/v2/agent/{projectId}/job', {\n  ${path},\n  body: { prompt: 'Fix broken links' },\n});`
    : `await client.GET('/v2/agent/{projectId}/jobs', { ${path} });`;
  return `import { createDocentClient } from '@docent/client';

const client = createDocentClient({ baseUrl: '${server}', apiKey: '${key}' });
const { data, error } = ${call}`;
}
