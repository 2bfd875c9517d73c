import { useState } from 'preact/hooks';
import type { components } from '@docent/client';
import { api, answerOf } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { session } from '../../api/session.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { Foreign } from '../../parts/foreign.tsx';
import { Loaded, Page, Panel } from '../../parts/page.tsx';
import { Table } from '../../parts/table.tsx';
import { When } from '../../parts/when.tsx';
import { to } from '../../shell/routes.ts';
import { text } from '../../text.ts';

const { account: w } = text;
type SignIn = components['schemas']['SignIn'];

/** `/account`: who is signed in, and their other sessions. */
export default function Account() {
  const who = session.caller.value?.person;
  const sessions = useResource('sessions', (signal) => answerOf(api.GET('/v1/me/sessions', { signal })));
  const [open, setOpen] = useState<'everywhere' | SignIn | null>(null);
  const done = () => {
    setOpen(null);
    sessions.reload();
  };
  return (
    <Page title={w.title}>
      {who && (
        <Panel>
          {who.id === null ? (
            <p>{w.operator}</p>
          ) : (
            <dl class="facts">
              <div>
                <dt>{w.email}</dt>
                <dd>
                  <Foreign text={who.email ?? ''} />
                </dd>
              </div>
              <div>
                <dt>{w.role}</dt>
                <dd>{w.roles[who.role]}</dd>
              </div>
              <div>
                <dt>{w.projects}</dt>
                <dd>{who.projectIds?.join(', ') ?? w.everything}</dd>
              </div>
            </dl>
          )}
        </Panel>
      )}
      <Panel title={w.sessions} actions={<Button onClick={() => setOpen('everywhere')}>{w.everywhere}</Button>}>
        <Loaded from={sessions}>
          {({ sessions: rows }) => (
            <Table
              caption={w.sessions}
              rows={rows}
              keyOf={({ id }) => id}
              columns={[
                {
                  head: w.browser,
                  isMain: true,
                  cell: (row) => (
                    <div class="break">
                      <Foreign text={row.userAgent ?? ''} /> {row.current && <Badge tone="good">{w.current}</Badge>}
                      <div class="hint">{row.address}</div>
                    </div>
                  ),
                },
                { head: w.since, cell: ({ createdAt }) => <When at={createdAt} /> },
                { head: w.lastUsed, cell: ({ lastUsedAt }) => <When at={lastUsedAt} /> },
                {
                  head: '',
                  align: 'end',
                  cell: (row) => !row.current && <Button onClick={() => setOpen(row)}>{w.end}</Button>,
                },
              ]}
            />
          )}
        </Loaded>
      </Panel>
      {open === 'everywhere' && (
        <Confirm
          title={w.everywhere}
          action={w.everywhere}
          isDanger
          onClose={() => setOpen(null)}
          onConfirm={async () => {
            await answerOf(api.POST('/v1/sign-out', { body: { everywhere: true } }));
            location.assign(to.signIn());
          }}
        >
          <p>{w.everywhereHint}</p>
        </Confirm>
      )}
      {open !== null && open !== 'everywhere' && (
        <Confirm
          title={w.end}
          action={w.end}
          onClose={done}
          onConfirm={() =>
            answerOf(api.DELETE('/v1/me/sessions/{signInId}', { params: { path: { signInId: open.id } } }))
          }
        >
          <p class="break">
            <Foreign text={open.userAgent ?? ''} />
          </p>
        </Confirm>
      )}
    </Page>
  );
}
