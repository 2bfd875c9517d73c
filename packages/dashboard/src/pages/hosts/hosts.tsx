import { Ellipsis, Plus } from 'lucide';
import { useState } from 'preact/hooks';
import type { components } from '@docent/client';
import { api, answerOf } from '../../api/client.ts';
import { useCursorList } from '../../api/list.ts';
import { problemOf } from '../../api/problem.ts';
import { Button, MoreButton } from '../../parts/button.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { Menu } from '../../parts/menu.tsx';
import { Empty, Loaded, Page } from '../../parts/page.tsx';
import { Table } from '../../parts/table.tsx';
import { toast } from '../../parts/toast.tsx';
import { When } from '../../parts/when.tsx';
import { text } from '../../text.ts';
import { HostDialog } from './host-dialog.tsx';

const { hosts: w } = text;
type Host = components['schemas']['Host'];

/** `/hosts`: the code hosts. */
export default function Hosts() {
  const [open, setOpen] = useState<{ dialog: 'new' } | { dialog: 'replace' | 'remove'; host: Host } | null>(null);
  const hosts = useCursorList<Host>('hosts list', async (cursor, signal) => {
    const page = await answerOf(api.GET('/v1/hosts', { params: { query: { cursor } }, signal }));
    return { rows: page.hosts, nextCursor: page.nextCursor };
  });
  const done = () => {
    setOpen(null);
    hosts.reload();
  };
  const test = async (hostId: string) => {
    try {
      const found = await answerOf(api.POST('/v1/hosts/{hostId}/check', { params: { path: { hostId } }, body: {} }));
      toast(found.ok ? w.works(found.account) : found.problems.join(' '));
    } catch (thrown) {
      toast(problemOf(thrown).message);
    }
  };
  const create = (
    <Button kind="primary" icon={Plus} onClick={() => setOpen({ dialog: 'new' })}>
      {w.create}
    </Button>
  );
  return (
    <Page title={w.title} lead={w.lead} actions={create}>
      <Loaded from={{ ...hosts, data: hosts.rows }}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title={w.empty} action={create}>
              <p>{w.emptyHint}</p>
            </Empty>
          ) : (
            <Table
              caption={w.title}
              rows={rows}
              keyOf={({ id }) => id}
              columns={[
                { head: w.host, isMain: true, cell: ({ id }) => <strong>{id}</strong> },
                { head: w.kind, cell: ({ kind }) => w.kinds[kind] ?? kind },
                { head: w.url, cell: ({ url }) => <span class="break">{url}</span> },
                { head: w.changed, cell: ({ updatedAt }) => <When at={updatedAt} /> },
                {
                  head: '',
                  align: 'end',
                  cell: (host) => (
                    <Menu icon={Ellipsis} label={w.actions(host.id)}>
                      <button type="button" onClick={() => void test(host.id)}>
                        {w.check}
                      </button>
                      <button type="button" onClick={() => setOpen({ dialog: 'replace', host })}>
                        {w.replace}
                      </button>
                      <button type="button" class="danger" onClick={() => setOpen({ dialog: 'remove', host })}>
                        {w.remove}
                      </button>
                    </Menu>
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
      <MoreButton of={hosts} />
      {open?.dialog === 'new' && <HostDialog onClose={done} />}
      {open?.dialog === 'replace' && <HostDialog of={open.host} onClose={done} />}
      {open?.dialog === 'remove' && (
        <Confirm
          title={w.removeTitle(open.host.id)}
          action={w.remove}
          isDanger
          onClose={done}
          onConfirm={() => answerOf(api.DELETE('/v1/hosts/{hostId}', { params: { path: { hostId: open.host.id } } }))}
        >
          <p>{w.removeHint}</p>
        </Confirm>
      )}
    </Page>
  );
}
