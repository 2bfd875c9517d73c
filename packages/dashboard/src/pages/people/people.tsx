import { Ellipsis } from 'lucide';
import { useState } from 'preact/hooks';
import type { components } from '@docent/client';
import { api, answerOf } from '../../api/client.ts';
import { useCursorList } from '../../api/list.ts';
import { Badge } from '../../parts/badge.tsx';
import { ButtonLink, MoreButton } from '../../parts/button.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { Foreign } from '../../parts/foreign.tsx';
import { Menu } from '../../parts/menu.tsx';
import { Empty, Loaded, Page } from '../../parts/page.tsx';
import { Table } from '../../parts/table.tsx';
import { When } from '../../parts/when.tsx';
import { href } from '../../shell/address.ts';
import { text } from '../../text.ts';
import { PersonDialog } from './person-dialog.tsx';

const { people: w } = text;
type Person = components['schemas']['Person'];

/** `/people`: who may sign in, and their roles. */
export default function People() {
  const [open, setOpen] = useState<{ dialog: 'edit' | 'remove'; of: Person } | null>(null);
  const people = useCursorList<Person>('people', async (cursor, signal) => {
    const page = await answerOf(api.GET('/v1/people', { params: { query: { cursor } }, signal }));
    return { rows: page.people, nextCursor: page.nextCursor };
  });
  const done = () => {
    setOpen(null);
    people.reload();
  };
  return (
    <Page title={w.title} lead={w.lead}>
      <Loaded from={{ ...people, data: people.rows }}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty
              title={w.empty}
              action={<ButtonLink to={href('/docs/operate/sign-in-openid')}>{w.setUp}</ButtonLink>}
            >
              <p>{w.emptyHint}</p>
            </Empty>
          ) : (
            <Table
              caption={w.title}
              rows={rows}
              keyOf={({ id }) => id}
              columns={[
                {
                  head: w.name,
                  isMain: true,
                  cell: (person) => (
                    <div class="break">
                      <strong>
                        <Foreign text={nameOf(person)} />
                      </strong>{' '}
                      {person.disabled && <Badge tone="bad">{w.disabled}</Badge>}
                      <div class="hint">
                        <Foreign text={person.email ?? ''} />
                      </div>
                    </div>
                  ),
                },
                { head: w.role, cell: ({ role }) => w.roleNames[role] },
                { head: w.projects, cell: ({ projectIds }) => projectIds?.join(', ') ?? w.all },
                { head: w.from, cell: ({ roleFromProvider }) => (roleFromProvider ? w.provider : w.hand) },
                {
                  head: w.last,
                  cell: ({ lastSignInAt }) => (lastSignInAt ? <When at={lastSignInAt} /> : text.common.never),
                },
                {
                  head: '',
                  align: 'end',
                  cell: (person) => (
                    <Menu icon={Ellipsis} label={w.actions(nameOf(person))}>
                      <button type="button" onClick={() => setOpen({ dialog: 'edit', of: person })}>
                        {w.edit}
                      </button>
                      <button type="button" class="danger" onClick={() => setOpen({ dialog: 'remove', of: person })}>
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
      <MoreButton of={people} />
      {open?.dialog === 'edit' && <PersonDialog of={open.of} onClose={done} />}
      {open?.dialog === 'remove' && (
        <Confirm
          title={w.removeTitle(nameOf(open.of))}
          action={w.remove}
          isDanger
          onClose={done}
          onConfirm={() =>
            answerOf(api.DELETE('/v1/people/{personId}', { params: { path: { personId: open.of.id } } }))
          }
        >
          <p>{w.removeHint}</p>
        </Confirm>
      )}
    </Page>
  );
}

export function nameOf({ name, email }: Person): string {
  return name ?? email ?? w.unnamed;
}
