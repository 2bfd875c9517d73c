import { Ellipsis, Plus } from 'lucide';
import { useState } from 'preact/hooks';
import type { Key } from '@docent/client';
import { api, answerOf } from '../../api/client.ts';
import { useCursorList } from '../../api/list.ts';
import { isKnown } from '../../api/resource.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button, MoreButton } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { CheckBox } from '../../parts/field.tsx';
import { Menu } from '../../parts/menu.tsx';
import { Empty, Loaded, Page, Panel, Waiting } from '../../parts/page.tsx';
import { Table } from '../../parts/table.tsx';
import { When } from '../../parts/when.tsx';
import { useProjects } from '../../shell/current-project.ts';
import { useQuery } from '../../shell/query.ts';
import { text } from '../../text.ts';
import { NewKeyDialog } from './new-key-dialog.tsx';
import { RotateDialog } from './rotate-dialog.tsx';

const { keys: w } = text;

type Open = { dialog: 'new' } | { dialog: 'revoke' | 'rotate'; key: Key } | null;

/** `/keys`: creates keys, and shows project ids for copying. */
export default function Keys() {
  const [query, setQuery] = useQuery();
  const isAll = query.all === 'true';
  const [open, setOpen] = useState<Open>(null);
  const projects = useProjects();
  const keys = useCursorList<Key>('keys', async (cursor, signal) => {
    const page = await answerOf(api.GET('/v1/keys', { params: { query: { cursor } }, signal }));
    return { rows: page.keys, nextCursor: page.nextCursor };
  });
  const shown = keys.rows?.filter((key) => isAll || isLive(key));
  const hasOld = (keys.rows?.length ?? 0) > 0;
  const done = () => {
    setOpen(null);
    keys.reload();
  };
  const create = (
    <Button kind="primary" icon={Plus} onClick={() => setOpen({ dialog: 'new' })}>
      {w.create}
    </Button>
  );
  return (
    <Page title={w.title} lead={w.lead} actions={create}>
      {isKnown(projects) ? (
        <>
          <ProjectIds ids={projects.data?.map(({ id }) => id) ?? []} />
          <Loaded from={{ ...keys, data: shown }} rows={8}>
            {(rows) => (
              <>
                {rows.length === 0 && !keys.hasMore ? (
                  <Empty title={hasOld ? w.noLive : w.empty} action={create}>
                    <p>{hasOld ? w.noLiveHint : w.emptyHint}</p>
                  </Empty>
                ) : (
                  <KeyTable rows={rows} onOpen={setOpen} />
                )}
                <div class="after-list">
                  <CheckBox
                    label={w.showRevoked}
                    isOn={isAll}
                    onChange={(isOn) => setQuery({ all: isOn ? 'true' : undefined })}
                  />
                  <MoreButton of={keys} />
                </div>
              </>
            )}
          </Loaded>
        </>
      ) : (
        <Waiting rows={8} />
      )}
      {open?.dialog === 'new' && <NewKeyDialog onClose={done} />}
      {open?.dialog === 'rotate' && <RotateDialog of={open.key} onClose={done} />}
      {open?.dialog === 'revoke' && (
        <Confirm
          title={w.revokeTitle(open.key.name)}
          action={w.revoke}
          isDanger
          onConfirm={() => answerOf(api.DELETE('/v1/keys/{keyId}', { params: { path: { keyId: open.key.id } } }))}
          onClose={done}
        >
          <p>{w.revokeHint}</p>
        </Confirm>
      )}
    </Page>
  );
}

function ProjectIds({ ids }: { ids: readonly string[] }) {
  if (ids.length === 0) return null;
  return (
    <Panel title={ids.length === 1 ? w.projectId : w.projectIds}>
      <p class="hint">{w.projectIdHint}</p>
      <ul class="chips">
        {ids.map((id) => (
          <li key={id} class="with-button">
            <code>{id}</code> <CopyButton text={id} what={`${w.projectId} ${id}`} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function KeyTable({ rows, onOpen }: { rows: Key[]; onOpen: (open: Open) => void }) {
  return (
    <Table
      caption={w.title}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          head: w.key,
          isMain: true,
          cell: (key) => (
            <div>
              <strong>{key.name}</strong>
              <div class="hint">
                <code>{key.hint}</code>
              </div>
            </div>
          ),
        },
        {
          head: w.scopes,
          cell: ({ scopes }) => (
            <span class="badges">
              {scopes.map((scope) => (
                <span key={scope} title={w.scopeNames[scope]?.[0]}>
                  <Badge>{scope}</Badge>
                </span>
              ))}
            </span>
          ),
        },
        { head: w.projects, cell: ({ projectIds }) => (projectIds ? projectIds.join(', ') : w.inAll) },
        { head: w.lastUse, cell: ({ lastUsedAt }) => (lastUsedAt ? <When at={lastUsedAt} /> : text.common.never) },
        { head: w.expires, cell: (key) => <Expiry of={key} /> },
        {
          head: '',
          align: 'end',
          cell: (key) =>
            isLive(key) && (
              <Menu icon={Ellipsis} label={w.actions(key.name)}>
                <button type="button" onClick={() => onOpen({ dialog: 'rotate', key })}>
                  {w.rotate}
                </button>
                <button type="button" class="danger" onClick={() => onOpen({ dialog: 'revoke', key })}>
                  {w.revoke}
                </button>
              </Menu>
            ),
        },
      ]}
    />
  );
}

const SOON_MS = 7 * 86_400_000;

function Expiry({ of: key }: { of: Key }) {
  if (key.revokedAt) return <Badge tone="bad">{w.revoked}</Badge>;
  if (!key.expiresAt) return <>{text.common.never}</>;
  const left = Date.parse(key.expiresAt) - Date.now();
  if (left <= 0) return <Badge tone="bad">{w.expired}</Badge>;
  return left < SOON_MS ? (
    <Badge tone="warn">
      <When at={key.expiresAt} />
    </Badge>
  ) : (
    <When at={key.expiresAt} />
  );
}

function isLive(key: Key): boolean {
  return !key.revokedAt && (key.expiresAt === null || Date.parse(key.expiresAt) > Date.now());
}
