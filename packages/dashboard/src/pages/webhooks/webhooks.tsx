import { Plus } from 'lucide';
import { useState } from 'preact/hooks';
import type { components } from '@docent/client';
import { api, answerOf } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { may } from '../../api/session.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Foreign } from '../../parts/foreign.tsx';
import { Empty, Loaded, Page } from '../../parts/page.tsx';
import { Table } from '../../parts/table.tsx';
import { When } from '../../parts/when.tsx';
import type { PageProps } from '../../shell/lazy-page.tsx';
import { to } from '../../shell/routes.ts';
import { text } from '../../text.ts';
import { NewWebhookDialog } from './new-webhook-dialog.tsx';

const { webhooks: w } = text;
type Webhook = components['schemas']['Webhook'];

/** `/projects/{p}/webhooks`: the webhooks and their events. */
export default function Webhooks({ params }: PageProps) {
  const projectId = params.projectId ?? '';
  const [isOpen, setOpen] = useState(false);
  const list = useResource(`webhooks ${projectId}`, (signal) =>
    answerOf(api.GET('/v1/projects/{projectId}/webhooks', { params: { path: { projectId } }, signal })),
  );
  const create = may('editor', projectId) && (
    <Button kind="primary" icon={Plus} onClick={() => setOpen(true)}>
      {w.create}
    </Button>
  );
  return (
    <Page title={w.title} lead={w.lead} actions={create}>
      <Loaded from={list}>
        {({ webhooks }) =>
          webhooks.length === 0 ? (
            <Empty title={w.empty} action={create}>
              <p>{w.emptyHint}</p>
            </Empty>
          ) : (
            <Table
              caption={w.title}
              rows={webhooks}
              keyOf={({ id }) => id}
              columns={[
                {
                  head: w.url,
                  isMain: true,
                  cell: (row) => (
                    <div class="break">
                      <a href={to.webhook(projectId, row.id)}>
                        <Foreign text={row.url} />
                      </a>
                      {row.description && (
                        <div class="hint">
                          <Foreign text={row.description} />
                        </div>
                      )}
                    </div>
                  ),
                },
                { head: w.events, cell: (row) => <EventNames of={row} /> },
                { head: w.state, cell: (row) => <WebhookState of={row} /> },
                { head: w.changed, cell: ({ updatedAt }) => <When at={updatedAt} /> },
              ]}
            />
          )
        }
      </Loaded>
      {isOpen && (
        <NewWebhookDialog
          projectId={projectId}
          onClose={() => {
            setOpen(false);
            list.reload();
          }}
        />
      )}
    </Page>
  );
}

export function EventNames({ of: { events } }: { of: Webhook }) {
  return (
    <span class="badges">
      {events.map((event) => (
        <Badge key={event}>{event}</Badge>
      ))}
    </span>
  );
}

export function WebhookState({ of: webhook }: { of: Webhook }) {
  if (!webhook.enabled) return <Badge tone={webhook.disabledReason ? 'bad' : 'plain'}>{w.off}</Badge>;
  if (!webhook.failingSince) return <Badge tone="good">{w.on}</Badge>;
  return (
    <Badge tone="warn">
      {w.failing} <When at={webhook.failingSince} />
    </Badge>
  );
}
