import { Ellipsis } from 'lucide';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { components } from '@docent/client';
import { api, answerOf, onceKey } from '../../api/client.ts';
import { problemOf } from '../../api/problem.ts';
import { isKnown, useResource } from '../../api/resource.ts';
import { may } from '../../api/session.ts';
import { Button } from '../../parts/button.tsx';
import { Sentence } from '../../parts/code.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { Foreign } from '../../parts/foreign.tsx';
import { Menu } from '../../parts/menu.tsx';
import { Loaded, Page } from '../../parts/page.tsx';
import { toast } from '../../parts/toast.tsx';
import type { PageProps } from '../../shell/lazy-page.tsx';
import { to } from '../../shell/routes.ts';
import { text } from '../../text.ts';
import { Deliveries } from './deliveries.tsx';
import { ShownSecret } from './new-webhook-dialog.tsx';
import { EventNames, WebhookState } from './webhooks.tsx';

const { webhooks: w } = text;
type Webhook = components['schemas']['Webhook'];

/** `/projects/{p}/webhooks/{id}`: one webhook, and its deliveries. */
export default function WebhookPage({ params }: PageProps) {
  const { projectId = '', webhookId = '' } = params;
  const webhook = useResource(`webhook ${webhookId}`, (signal) =>
    answerOf(
      api.GET('/v1/projects/{projectId}/webhooks/{webhookId}', { params: { path: { projectId, webhookId } }, signal }),
    ),
  );
  const [sent, setSent] = useState(0);
  return (
    <Page
      title={w.title}
      lead={webhook.data && <Foreign text={webhook.data.url} />}
      actions={
        webhook.data &&
        may('editor', projectId) && (
          <Actions
            projectId={projectId}
            of={webhook.data}
            onChanged={webhook.reload}
            onSent={() => setSent((n) => n + 1)}
          />
        )
      }
    >
      <Loaded from={webhook} rows={2}>
        {(row) => (
          <>
            <div class="badges">
              <WebhookState of={row} /> <EventNames of={row} />
            </div>
            {row.disabledReason && (
              <p class="note bad">
                <Sentence text={row.disabledReason} />
              </p>
            )}
          </>
        )}
      </Loaded>
      {isKnown(webhook) && <Deliveries key={sent} projectId={projectId} webhookId={webhookId} />}
    </Page>
  );
}

function Actions({
  projectId,
  of,
  onChanged,
  onSent,
}: {
  projectId: string;
  of: Webhook;
  onChanged: () => void;
  onSent: () => void;
}) {
  const { route } = useLocation();
  const [isBusy, setBusy] = useState(false);
  const [open, setOpen] = useState<'rotate' | 'remove'>();
  const [secret, setSecret] = useState<string>();
  const params = { path: { projectId, webhookId: of.id } };
  const done = () => setOpen(undefined);
  const test = () => {
    setBusy(true);
    answerOf(api.POST('/v1/projects/{projectId}/webhooks/{webhookId}/test', { params }))
      .then(
        (delivery) => toast(delivery.problem ?? w.tested[delivery.state] ?? delivery.state),
        (thrown: unknown) => toast(problemOf(thrown).message),
      )
      .finally(() => {
        setBusy(false);
        onSent();
      });
  };
  const turn = () => {
    answerOf(
      api.PATCH('/v1/projects/{projectId}/webhooks/{webhookId}', { params, body: { enabled: !of.enabled } }),
    ).then(onChanged, (thrown: unknown) => toast(problemOf(thrown).message));
  };
  return (
    <>
      <Button isBusy={isBusy} onClick={test}>
        {w.test}
      </Button>
      <Menu icon={Ellipsis} label={w.changed}>
        <button type="button" onClick={turn}>
          {of.enabled ? w.turnOff : w.turnOn}
        </button>
        <button type="button" onClick={() => setOpen('rotate')}>
          {w.rotate}
        </button>
        <button type="button" class="danger" onClick={() => setOpen('remove')}>
          {w.remove}
        </button>
      </Menu>
      {open === 'rotate' && (
        <Confirm
          title={w.rotateTitle}
          action={w.rotate}
          onClose={done}
          onConfirm={async () => {
            const made = await answerOf(
              api.POST('/v1/projects/{projectId}/webhooks/{webhookId}/rotate', {
                params: { ...params, header: { 'Idempotency-Key': onceKey() } },
              }),
            );
            setSecret(made.secret ?? '');
            onChanged();
          }}
        >
          <p>{w.rotateHint}</p>
        </Confirm>
      )}
      {open === 'remove' && (
        <Confirm
          title={w.removeTitle}
          action={w.remove}
          isDanger
          onClose={done}
          onConfirm={async () => {
            await answerOf(api.DELETE('/v1/projects/{projectId}/webhooks/{webhookId}', { params }));
            route(to.webhooks(projectId));
          }}
        >
          <p>{w.removeHint}</p>
        </Confirm>
      )}
      {secret !== undefined && <ShownSecret secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  );
}
