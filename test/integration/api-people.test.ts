import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { people } from '../../src/store/access/people-schema.ts';
import { account, signInWithProvider } from '../support/identity-provider.ts';
import { type PeopleWorld, startPeople } from '../support/people-world.ts';

let world: PeopleWorld;
beforeAll(async () => {
  world = await startPeople();
});
afterAll(() => world?.close());

describe('the API', () => {
  test.each([
    [{ role: 'owner' }, 'role'],
    [{ role: null }, 'role'],
    [{ role: ['admin'] }, 'role'],
    [{ projectIds: 'handbook' }, 'projectIds'],
    [{ projectIds: [''] }, 'projectIds'],
    [{ projectIds: ['../x'] }, 'projectIds'],
    [{ projectIds: [null] }, 'projectIds'],
    [{ disabled: 'yes' }, 'disabled'],
    [{ disabled: null }, 'disabled'],
    [{ roleFromProvider: 1 }, 'roleFromProvider'],
    [{ roleFromProvider: true, role: 'viewer' }, 'roleFromProvider'],
    [{ roleFromProvider: true, projectIds: null }, 'roleFromProvider'],
    [[], null],
    [null, null],
  ])('refuses %j, and changes nothing', async (body, param) => {
    await world.comes('lea');
    const id = await world.idOf('lea');
    const { status, json } = await world.change(id, body);
    expect([status, json.code]).toEqual([400, 'bad_request']);
    if (param) expect(json.param).toMatch(new RegExp(`^${param}`));
    expect(await world.listed('lea')).toMatchObject({ role: 'editor', projectIds: null, disabled: false });
  });

  test('refuses more projects than it keeps', async () => {
    await world.comes('lou');
    const projectIds = Array.from({ length: 1_001 }, (_, i) => `p${i}`);
    const { status, json } = await world.change(await world.idOf('lou'), { projectIds });
    expect([status, json.code, json.param]).toEqual([400, 'bad_request', 'projectIds']);
  });

  test('accepts a change without effect, and the same change twice', async () => {
    await world.comes('mia');
    const id = await world.idOf('mia');
    const { lastSignInAt: _at, ...before } = (await world.api.call(`/v1/people/${id}`)).json;
    expect((await world.change(id, {})).json).toMatchObject(before);
    const set = { role: 'viewer', projectIds: ['handbook'], disabled: true };
    const first = await world.change(id, set);
    const disabledAt = async () =>
      (await world.api.database.db.select().from(people).where(eq(people.id, id)))[0]?.disabledAt;
    const since = await disabledAt();
    expect((await world.change(id, set)).json).toEqual(first.json);
    expect(await disabledAt()).toEqual(since);
    // In no project at all, a person can sign in and sees none.
    expect((await world.change(id, { projectIds: [], disabled: false })).json.projectIds).toEqual([]);
    const { browser } = await world.comes('mia');
    expect((await world.call(browser, world.api, '/v1/projects')).json.projects).toEqual([]);
  });

  test('keeps both of two simultaneous changes', async () => {
    await world.comes('ned');
    const id = await world.idOf('ned');
    for (let round = 0; round < 5; round += 1) {
      await world.change(id, { roleFromProvider: true, disabled: false });
      const set = [{ role: 'viewer' }, { projectIds: ['handbook'] }, { disabled: true }];
      const answers = await Promise.all(set.map((body, i) => world.change(id, body, i % 2 ? world.api : world.other)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(await world.listed('ned')).toMatchObject({
        role: 'viewer',
        projectIds: ['handbook'],
        roleFromProvider: false,
        disabled: true,
      });
      await world.api.database.db.update(people).set({ role: 'editor', projectIds: null }).where(eq(people.id, id));
    }
  });

  test('creates one person for simultaneous first sign-ins', async () => {
    world.provider.account = account('oda', { groups: ['docs-team'] });
    const came = await Promise.all(Array.from({ length: 4 }, () => signInWithProvider(world.api.url)));
    expect(came.map(({ end }) => end)).toEqual(['/', '/', '/', '/']);
    const rows = await world.api.database.db.select().from(people).where(eq(people.subject, 'oda'));
    expect(rows).toHaveLength(1);
    expect(await world.seen(...came.map(({ browser }) => browser))).toEqual(Array(8).fill(200));
  });

  test('changes no one while the audit log is not writable', async () => {
    await world.comes('pia');
    const id = await world.idOf('pia');
    const { db } = world.api.database;
    await db.execute(sql`ALTER TABLE audit_log RENAME TO audit_log_away`);
    try {
      expect((await world.change(id, { disabled: true })).status).toBeGreaterThanOrEqual(500);
      expect((await world.api.call(`/v1/people/${id}`, { method: 'DELETE' })).status).toBeGreaterThanOrEqual(500);
      // Nor is anyone signed in.
      expect((await world.comes('pia')).end).not.toBe('/');
    } finally {
      await db.execute(sql`ALTER TABLE audit_log_away RENAME TO audit_log`);
    }
    expect(await world.listed('pia')).toMatchObject({ disabled: false });
  });
});

describe('two things at once', () => {
  test('has no session left, though they signed in at the same moment', async () => {
    await world.comes('gil');
    const id = await world.idOf('gil');
    for (let round = 0; round < 4; round += 1) {
      world.provider.account = account('gil', { groups: ['docs-team'] });
      const browsers = Promise.all(Array.from({ length: 3 }, () => signInWithProvider(world.api.url)));
      const disabled = [world.api, world.other].map((at) => world.change(id, { disabled: true }, at));
      const [came, ...changed] = await Promise.all([browsers, ...disabled]);
      expect(changed.map(({ status }) => status)).toEqual([200, 200]);
      // Enabled again, only who signs in again is in.
      await world.inJson('update', id, '--enable');
      expect(await world.seen(...came.map(({ browser }) => browser))).toEqual(Array(6).fill(401));
    }
  });
});
