import { useState } from 'preact/hooks';
import type { components } from '@docent/client';
import { api, answerOf } from '../../api/client.ts';
import { useCursorList } from '../../api/list.ts';
import { problemOf } from '../../api/problem.ts';
import { useResource } from '../../api/resource.ts';
import { may } from '../../api/session.ts';
import { Badge, type Tone } from '../../parts/badge.tsx';
import { Button, MoreButton } from '../../parts/button.tsx';
import { Sentence } from '../../parts/code.tsx';
import { Snippet } from '../../parts/copy.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { count } from '../../parts/number.ts';
import { Loaded, Panel } from '../../parts/page.tsx';
import { Table } from '../../parts/table.tsx';
import { toast } from '../../parts/toast.tsx';
import { durationOf, When } from '../../parts/when.tsx';
import { useQuery } from '../../shell/query.ts';
import { text } from '../../text.ts';

const { webhooks: w } = text;
type Delivery = components['schemas']['WebhookDelivery'];
type State = components['schemas']['DeliveryState'];
const TONES: Record<State, Tone> = { pending: 'busy', delivered: 'good', failed: 'bad' };
const OFTEN_MS = 5_000;

interface Of {
  projectId: string;
  webhookId: string;
}

/** The sent messages, newest first, and their responses. */
export function Deliveries({ projectId, webhookId }: Of) {
  const [query, setQuery] = useQuery();
  const state = (query.state ?? '') as State | '';
  const [openId, setOpen] = useState<string>();
  const list = useCursorList<Delivery>(
    `deliveries ${webhookId} ${state}`,
    async (cursor, signal) => {
      const page = await answerOf(
        api.GET('/v1/projects/{projectId}/webhooks/{webhookId}/deliveries', {
          params: { path: { projectId, webhookId }, query: { cursor, ...(state ? { state } : {}) } },
          signal,
        }),
      );
      return { rows: page.deliveries, nextCursor: page.nextCursor };
    },
    { everyMs: OFTEN_MS },
  );
  return (
    <Panel title={w.deliveries} actions={<States value={state} onValue={(next) => setQuery({ state: next })} />}>
      <Loaded from={{ ...list, data: list.rows }}>
        {(rows) =>
          rows.length === 0 ? (
            <p class="hint">{state ? w.noDeliveriesOf(w.states[state] ?? state) : w.noDeliveries}</p>
          ) : (
            <Table
              caption={w.deliveries}
              rows={rows}
              keyOf={({ id }) => id}
              columns={[
                {
                  head: w.message,
                  isMain: true,
                  cell: (row) => (
                    <button type="button" class="link" onClick={() => setOpen(row.id)}>
                      {row.type}
                    </button>
                  ),
                },
                { head: w.state, cell: (row) => <Badge tone={TONES[row.state]}>{w.states[row.state]}</Badge> },
                { head: w.answer, cell: (row) => row.lastStatus ?? row.problem ?? '' },
                { head: w.attempts, align: 'end', cell: (row) => count(row.attempts) },
                {
                  head: w.when,
                  cell: (row) => (
                    <span>
                      <When at={row.createdAt} />
                      {row.nextAttemptAt && (
                        <span class="hint">
                          , {w.next} <When at={row.nextAttemptAt} />
                        </span>
                      )}
                    </span>
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
      <MoreButton of={list} />
      {openId && (
        <DeliveryDialog
          projectId={projectId}
          webhookId={webhookId}
          deliveryId={openId}
          onClose={() => setOpen(undefined)}
        />
      )}
    </Panel>
  );
}

function States({ value, onValue }: { value: string; onValue: (state: string) => void }) {
  return (
    <div class="segments" role="group" aria-label={w.state}>
      {['', 'pending', 'delivered', 'failed'].map((state) => (
        <button key={state} type="button" aria-pressed={value === state} onClick={() => onValue(state)}>
          {state === '' ? w.all : w.states[state]}
        </button>
      ))}
    </div>
  );
}

function DeliveryDialog({
  projectId,
  webhookId,
  deliveryId,
  onClose,
}: Of & { deliveryId: string; onClose: () => void }) {
  const [isBusy, setBusy] = useState(false);
  const params = { path: { projectId, webhookId, deliveryId } };
  const details = useResource(`delivery ${deliveryId}`, (signal) =>
    answerOf(api.GET('/v1/projects/{projectId}/webhooks/{webhookId}/deliveries/{deliveryId}', { params, signal })),
  );
  const again = () => {
    setBusy(true);
    answerOf(api.POST('/v1/projects/{projectId}/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver', { params }))
      .then(
        () => {
          toast(w.sentAgain);
          onClose();
        },
        (thrown: unknown) => toast(problemOf(thrown).message),
      )
      .finally(() => setBusy(false));
  };
  return (
    <Dialog title={details.data?.type ?? w.message} isWide onClose={onClose}>
      <div class="body">
        <Loaded from={details}>
          {({ log, payload }) => (
            <>
              {log.map((attempt, i) => (
                <section key={attempt.startedAt}>
                  <h3>
                    {w.attempt(i + 1)} · <When at={attempt.startedAt} as="exact" /> · {durationOf(attempt.ms)}
                    {attempt.status !== null && ` · ${attempt.status}`}
                  </h3>
                  {attempt.problem && (
                    <p class="wrong">
                      <Sentence text={attempt.problem} />
                    </p>
                  )}
                  {attempt.response && <Snippet title={w.answer} code={attempt.response} />}
                </section>
              ))}
              <Snippet title={w.payload} code={JSON.stringify(payload, null, 2)} />
            </>
          )}
        </Loaded>
      </div>
      <footer>
        {may('editor', projectId) && (
          <Button isBusy={isBusy} onClick={again}>
            {w.again}
          </Button>
        )}
        <Button kind="primary" onClick={onClose}>
          {text.common.close}
        </Button>
      </footer>
    </Dialog>
  );
}
