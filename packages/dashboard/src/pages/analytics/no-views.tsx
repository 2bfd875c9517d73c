import { may } from '../../api/session.ts';
import { ButtonLink } from '../../parts/button.tsx';
import { Snippet } from '../../parts/copy.tsx';
import { Panel } from '../../parts/page.tsx';
import { href } from '../../shell/address.ts';
import { to } from '../../shell/routes.ts';
import { text } from '../../text.ts';

const { analytics: w } = text;

/** How to get the first views. The page checks for them automatically. */
export function NoViews({ projectId }: { projectId: string }) {
  const server = new URL(href('/'), location.origin).href;
  const id = encodeURIComponent(projectId);
  return (
    <div class="no-views">
      <div class="empty">
        <h2>{w.empty}</h2>
        <p>{w.emptyHint}</p>
        <p class="awaiting" role="status">
          <span class="pulse" /> {w.awaiting}
        </p>
      </div>
      <Panel title={w.viaScript}>
        <p class="hint">{w.viaScriptHint}</p>
        <Snippet code={`<script async src="${server}${id}/script.js"></script>`} title="HTML" />
      </Panel>
      <Panel title={w.viaLogs}>
        <p class="hint">{w.viaLogsHint}</p>
        <Snippet
          code={`docent analytics import --project ${projectId} '/var/log/nginx/access.log*'`}
          title={w.onTheServer}
        />
      </Panel>
      <Panel
        title={w.viaEvents}
        actions={may('admin', projectId) && <ButtonLink to={to.keys()}>{text.keys.create}</ButtonLink>}
      >
        <p class="hint">{w.viaEventsHint}</p>
        <Snippet code={curlOf(server, id)} title={text.keys.curl} />
      </Panel>
    </div>
  );
}

function curlOf(server: string, id: string): string {
  return [
    `curl -sS '${server}v1/analytics/${id}/events' \\`,
    `  -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\`,
    `  -d '{"events": [{"timestamp": '$(date +%s)000', "path": "/start", "visitorId": "reader-1"}]}'`,
  ].join('\n');
}
