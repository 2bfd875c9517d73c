import { Ellipsis, Plus } from 'lucide';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { components } from '@docent/client';
import { api, answerOf, onceKey } from '../../api/client.ts';
import { useCursorList } from '../../api/list.ts';
import { problemOf } from '../../api/problem.ts';
import { may } from '../../api/session.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button, MoreButton } from '../../parts/button.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { Foreign } from '../../parts/foreign.tsx';
import { Menu } from '../../parts/menu.tsx';
import { count } from '../../parts/number.ts';
import { Empty, Loaded, Page } from '../../parts/page.tsx';
import { Table } from '../../parts/table.tsx';
import { toast } from '../../parts/toast.tsx';
import { When } from '../../parts/when.tsx';
import type { PageProps } from '../../shell/lazy-page.tsx';
import { to } from '../../shell/routes.ts';
import { text } from '../../text.ts';
import { automations as w } from './text.ts';
import { AutomationDialog } from './automation-dialog.tsx';
import { FilePlan } from './file-plan.tsx';

type Automation = components['schemas']['Automation'];
type Open = { dialog: 'new' } | { dialog: 'edit' | 'remove'; of: Automation } | null;

/** `/projects/{p}/automations`: prompts that are kept, and started by programs. */
export default function Automations({ params }: PageProps) {
  const projectId = params.projectId ?? '';
  const [open, setOpen] = useState<Open>(null);
  const mayChange = may('editor', projectId);
  const list = useCursorList<Automation>(`automations ${projectId}`, async (cursor, signal) => {
    const page = await answerOf(
      api.GET('/v1/projects/{projectId}/automations', { params: { path: { projectId }, query: { cursor } }, signal }),
    );
    return { rows: page.automations, nextCursor: page.nextCursor };
  });
  const done = () => {
    setOpen(null);
    list.reload();
  };
  const create = mayChange && (
    <Button kind="primary" icon={Plus} onClick={() => setOpen({ dialog: 'new' })}>
      {w.create}
    </Button>
  );
  return (
    <Page title={w.title} lead={w.lead} actions={create}>
      <Loaded from={{ ...list, data: list.rows }}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title={w.empty} action={create}>
              <p>{w.emptyHint}</p>
            </Empty>
          ) : (
            <AutomationTable
              projectId={projectId}
              rows={rows}
              mayChange={mayChange}
              onOpen={setOpen}
              onChanged={list.reload}
            />
          )
        }
      </Loaded>
      <MoreButton of={list} />
      {mayChange && list.rows !== undefined && <FilePlan projectId={projectId} onApplied={list.reload} />}
      {open?.dialog === 'new' && <AutomationDialog projectId={projectId} onClose={done} />}
      {open?.dialog === 'edit' && <AutomationDialog projectId={projectId} of={open.of} onClose={done} />}
      {open?.dialog === 'remove' && (
        <Confirm
          title={w.removeTitle(open.of.name)}
          action={w.remove}
          isDanger
          onClose={done}
          onConfirm={() =>
            answerOf(
              api.DELETE('/v1/projects/{projectId}/automations/{automationId}', {
                params: { path: { projectId, automationId: open.of.id } },
              }),
            )
          }
        >
          <p>{w.removeHint}</p>
        </Confirm>
      )}
    </Page>
  );
}

function AutomationTable({
  projectId,
  rows,
  mayChange,
  onOpen,
  onChanged,
}: {
  projectId: string;
  rows: Automation[];
  mayChange: boolean;
  onOpen: (open: Open) => void;
  onChanged: () => void;
}) {
  const { route } = useLocation();
  const run = async (of: Automation) => {
    try {
      const job = await answerOf(
        api.POST('/v1/projects/{projectId}/automations/{automationId}/trigger', {
          params: { path: { projectId, automationId: of.id }, header: { 'Idempotency-Key': onceKey() } },
          body: {},
        }),
      );
      toast(w.started);
      route(to.job(projectId, job.id));
    } catch (thrown) {
      toast(problemOf(thrown).message);
    }
  };
  const turn = async (of: Automation, enabled: boolean) => {
    try {
      await answerOf(
        api.PATCH('/v1/projects/{projectId}/automations/{automationId}', {
          params: { path: { projectId, automationId: of.id } },
          body: { enabled },
        }),
      );
      onChanged();
    } catch (thrown) {
      toast(problemOf(thrown).message);
    }
  };
  return (
    <Table
      caption={w.title}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          head: w.name,
          isMain: true,
          cell: (row) => (
            <div class="break">
              <a href={to.automation(projectId, row.id)}>
                <Foreign text={row.name} />
              </a>{' '}
              {!row.enabled && <Badge>{w.disabled}</Badge>}
              {row.enabled && row.pausedReason && <Badge tone="bad">{w.paused}</Badge>}
              <div class="hint">{row.triggerText}</div>
              <div class="hint clamp">
                <Foreign text={row.prompt} />
              </div>
            </div>
          ),
        },
        { head: w.mode, cell: ({ mode }) => w.shortModes[mode] },
        { head: w.runs, align: 'end', cell: ({ runs }) => count(runs) },
        {
          head: w.last,
          cell: ({ lastTriggeredAt, lastJobId }) =>
            lastTriggeredAt === null ? (
              text.common.never
            ) : lastJobId === null ? (
              <When at={lastTriggeredAt} />
            ) : (
              <a href={to.job(projectId, lastJobId)}>
                <When at={lastTriggeredAt} />
              </a>
            ),
        },
        {
          head: '',
          align: 'end',
          cell: (row) =>
            mayChange && (
              <Menu icon={Ellipsis} label={w.actions(row.name)}>
                {row.enabled && row.pausedReason === null && (
                  <button type="button" onClick={() => void run(row)}>
                    {w.run}
                  </button>
                )}
                <button type="button" onClick={() => onOpen({ dialog: 'edit', of: row })}>
                  {w.edit}
                </button>
                {(!row.enabled || row.pausedReason !== null) && (
                  <button type="button" onClick={() => void turn(row, true)}>
                    {w.turnOn}
                  </button>
                )}
                {row.enabled && (
                  <button type="button" onClick={() => void turn(row, false)}>
                    {w.turnOff}
                  </button>
                )}
                <button type="button" class="danger" onClick={() => onOpen({ dialog: 'remove', of: row })}>
                  {w.remove}
                </button>
              </Menu>
            ),
        },
      ]}
    />
  );
}
