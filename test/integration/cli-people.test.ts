import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { people } from '../../src/store/access/people-schema.ts';
import { createJob } from '../support/api-jobs.ts';
import { SAME_ORIGIN } from '../support/browsers.ts';
import { runCommand } from '../support/command.ts';
import { openStream } from '../support/event-stream.ts';
import { runInside } from '../support/run-inside.ts';
import { type PeopleWorld, startPeople, WITHIN_A_SECOND } from '../support/people-world.ts';

let world: PeopleWorld;
beforeAll(async () => {
  world = await startPeople();
});
afterAll(() => world?.close());

/** In its own process, which may run beside another one. */
const removeInProcess = (id: string) => runCommand(['person', 'remove', id, '--yes'], world.env);

describe('the list of people', () => {
  test('lists no one at first, then the people with their roles', async () => {
    expect(await world.inJson('list')).toEqual([]);
    expect((await world.person('list')).stdout).toBe('No one has signed in with the identity provider yet.\n');
    await world.comes('ada');
    expect(await world.listed('ada')).toEqual({
      id: expect.stringMatching(/^per_[0-9a-z]{20}$/),
      issuer: world.provider.issuer,
      name: 'Name of ada',
      email: 'ada@example.com',
      role: 'editor',
      projectIds: null,
      roleFromProvider: true,
      disabled: false,
      createdAt: expect.any(String),
      lastSignInAt: expect.any(String),
    });
    const { stdout } = await world.person('list');
    expect(stdout).toMatch(/^ID +NAME +E-MAIL +ROLE +PROJECTS +STATE +LAST SIGN-IN\n/);
    expect(stdout).toMatch(/\nper_\w+ +Name of ada +ada@example\.com +editor +all +enabled +20/);
  });

  test('has all of them, however many came in one moment', async () => {
    const { db } = world.api.database;
    const same = { issuer: 'https://elsewhere.example', role: 'viewer' as const, roleSetBy: 'claim' as const };
    const rows = Array.from({ length: 230 }, (_, i) => ({ ...same, id: `per_many${i}`, subject: String(i) }));
    await db.insert(people).values(rows.map((row) => ({ ...row, createdAt: new Date('2026-01-01') })));
    const ids = (await world.inJson('list')).map(({ id }: { id: string }) => id);
    expect(ids.filter((id: string) => id.startsWith('per_many'))).toHaveLength(230);
    expect(new Set(ids).size).toBe(ids.length);
    await db.delete(people).where(eq(people.issuer, same.issuer));
  });
});

describe('manual changes', () => {
  test('holds at every server within a second', async () => {
    const { browser } = await world.comes('bea');
    const id = await world.idOf('bea');
    expect((await world.call(browser, world.other, '/v1/hosts')).status).toBe(403);
    const shown = await world.person('update', id, '--role', 'admin');
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    expect(shown.stdout).toMatch(/role from +here\n/);
    await expect
      .poll(async () => (await world.call(browser, world.other, '/v1/hosts')).status, WITHIN_A_SECOND)
      .toBe(200);
    expect((await world.call(browser, world.api, '/v1/hosts')).status).toBe(200);
    await world.inJson('update', id, '--role', 'editor', '--project', 'handbook', '--project', 'guides');
    const bound = { role: 'editor', projectIds: ['handbook', 'guides'] };
    for (const at of [world.other, world.api]) {
      await expect.poll(async () => (await world.me(browser, at)).json.person, WITHIN_A_SECOND).toMatchObject(bound);
      expect((await world.call(browser, at, '/v2/agent/elsewhere/jobs')).json.code).toBe('project_not_found');
    }
    expect((await world.person('list')).stdout).toMatch(/bea@example\.com +editor \(set\) +handbook,guides +enabled/);
    expect(await world.inJson('update', id, '--all-projects')).toMatchObject({ role: 'editor', projectIds: null });
  });

  test('stay, whatever the provider sends later, until the provider may decide again', async () => {
    await world.comes('cal');
    const id = await world.idOf('cal');
    const manual = { id, role: 'viewer', projectIds: ['handbook'], roleFromProvider: false };
    await world.inJson('update', id, '--role', 'viewer', '--project', 'handbook');
    for (const groups of [['admins'], ['docs-team'], []]) {
      expect((await world.comes('cal', groups)).end).toBe('/');
      expect(await world.listed('cal')).toMatchObject(manual);
    }
    // From the next sign-in on: before, there is no role to use.
    const { browser } = await world.comes('cal', ['admins']);
    expect(await world.inJson('update', id, '--role-from-provider')).toMatchObject({
      ...manual,
      roleFromProvider: true,
    });
    expect((await world.me(browser)).json.person).toMatchObject({ role: 'viewer', projectIds: ['handbook'] });
    expect((await world.person('update', id, '--role-from-provider')).stdout).toMatch(
      /role from +the identity provider\n/,
    );
    await world.comes('cal', ['admins']);
    expect(await world.listed('cal')).toMatchObject({ role: 'admin', projectIds: null, roleFromProvider: true });
    await expect
      .poll(async () => (await world.me(browser, world.other)).json.person.role, WITHIN_A_SECOND)
      .toBe('admin');
    // A person without any role is signed out at the next sign-in.
    expect((await world.comes('cal', [])).end).toBe('/sign-in?error=no_role');
    await expect.poll(() => world.seen(browser), WITHIN_A_SECOND).toEqual([401, 401]);
  });

  test('is the projects alone, or the role alone, as well', async () => {
    await world.comes('dan');
    const id = await world.idOf('dan');
    expect(await world.inJson('update', id, '--project', 'handbook')).toMatchObject({
      role: 'editor',
      projectIds: ['handbook'],
      roleFromProvider: false,
    });
    expect(await world.inJson('update', id, '--role', 'viewer')).toMatchObject({
      role: 'viewer',
      projectIds: ['handbook'],
    });
  });
});

describe('a disabled person', () => {
  test('is out at every server within a second, in every browser and stream, and kept out until enabled', async () => {
    const projectId = await world.api.addProject();
    const jobId = await createJob(world.api, projectId);
    const [one, two] = [(await world.comes('eli')).browser, (await world.comes('eli')).browser];
    expect(await world.seen(one, two)).toEqual([200, 200, 200, 200]);
    const streams = await Promise.all(
      [world.api, world.other].map((at) =>
        openStream(`${at.url}/v2/agent/${projectId}/job/${jobId}/events`, {
          token: null,
          headers: { cookie: one.cookies(world.api.url) },
        }),
      ),
    );
    for (const stream of streams) await stream.until('an event', (events) => events.length > 0);
    const id = await world.idOf('eli');
    expect((await world.person('update', id, '--disable')).stdout).toMatch(/state +disabled\n/);
    await expect.poll(() => world.seen(one, two), WITHIN_A_SECOND).toEqual([401, 401, 401, 401]);
    await Promise.all(streams.map(({ ended }) => ended));
    expect((await world.comes('eli')).end).toBe('/sign-in?error=person_disabled');
    expect((await world.comes('eli', ['admins'])).end).toBe('/sign-in?error=person_disabled');
    expect((await world.person('list')).stdout).toMatch(/eli@example\.com +editor +all +disabled/);

    expect(await world.inJson('update', id, '--enable')).toMatchObject({ disabled: false, role: 'editor' });
    // Ended sessions stay ended.
    expect(await world.seen(one, two)).toEqual([401, 401, 401, 401]);
    const again = await world.comes('eli');
    expect(await world.seen(again.browser)).toEqual([200, 200]);
    expect(await world.idOf('eli')).toBe(id);
  });

  test('does not come back by a link that was made before, when they are enabled again', async () => {
    const { browser } = await world.comes('fay', ['admins']);
    const made = await world.call(browser, world.api, '/v1/sign-in-links', { method: 'POST' });
    expect(made.status).toBe(201);
    const id = await world.idOf('fay');
    await world.inJson('update', id, '--disable');
    await world.inJson('update', id, '--enable');
    const link = new URL(made.json.url as string).hash.slice('#link='.length);
    const answer = await world.api.call('/v1/sign-in', { body: { link }, token: null, headers: SAME_ORIGIN });
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([401, []]);
  });
});

describe('a removed person', () => {
  test('asks first, then signs them out at every server, and a new sign-in needs a role', async () => {
    const { browser } = await world.comes('hal');
    const id = await world.idOf('hal');
    await world.inJson('update', id, '--role', 'admin', '--project', 'handbook');
    const asked = await world.person('remove', id);
    expect([asked.code, asked.stdout]).toEqual([2, '']);
    expect(asked.stderr).toContain('--yes');
    expect(await world.seen(browser)).toEqual([200, 200]);

    const removed = await world.person('remove', id, '--yes');
    expect(removed).toMatchObject({ code: 0, stdout: `Removed ${id}.\n`, stderr: '' });
    await expect.poll(() => world.seen(browser), WITHIN_A_SECOND).toEqual([401, 401]);
    expect(await world.listed('hal')).toBeUndefined();
    // Their manually set role is deleted with them.
    const again = await world.comes('hal');
    expect(again.end).toBe('/');
    const anew = await world.listed('hal');
    expect(anew).toMatchObject({ role: 'editor', projectIds: null, roleFromProvider: true });
    expect(anew?.id).not.toBe(id);
    expect(await world.inJson('remove', anew?.id ?? '', '--yes')).toEqual({ removed: anew?.id });
    expect((await world.comes('hal', [])).end).toBe('/sign-in?error=no_role');
    expect(await world.listed('hal')).toBeUndefined();
  });

  test('is removed once by parallel requests; their actions stay in the audit log under their name', async () => {
    const { browser } = await world.comes('ira', ['admins']);
    const id = await world.idOf('ira');
    const key = await world.call(browser, world.api, '/v1/keys', { body: { name: 'of ira', projectIds: null } });
    expect(key.status).toBe(201);
    const both = await Promise.all([removeInProcess(id), removeInProcess(id)]);
    expect(both.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([0, 1]);
    const late = await world.person('remove', id, '--yes');
    expect(late.code).toBe(1);
    expect(late.stderr).toMatch(new RegExp(`^Person ${id} does not exist\\. \\(person_not_found, request \\S+\\)\n$`));
    const { entries } = (await world.api.call(`/v1/audit?actor=${id}`)).json;
    expect(entries.map(({ operation }: { operation: string }) => operation)).toEqual([
      'createKey',
      'finishOpenIdSignIn',
    ]);
    expect(entries[0].actor).toMatchObject({ kind: 'person', id, name: 'Name of ira' });
  });
});

describe('the last admin', () => {
  test('may give up the role and disable everyone; the operator token still works, and the log has the actor', async () => {
    const { browser } = await world.comes('jan', ['admins']);
    await world.comes('kit', ['admins']);
    const [jan, kit] = [await world.idOf('jan'), await world.idOf('kit')];
    const change = (id: string, body: object) =>
      world.call(browser, world.api, `/v1/people/${id}`, { method: 'PATCH', body });
    expect((await change(kit, { disabled: true })).status).toBe(200);
    expect((await change(jan, { role: 'viewer' })).status).toBe(200);
    expect((await change(jan, { role: 'admin' })).json.code).toBe('forbidden_scope');
    expect((await change(kit, { disabled: false })).json.code).toBe('forbidden_scope');

    type Entry = { target: { personId: string }; status: number };
    // Refusals have no fixed order.
    const log = async () =>
      ((await world.api.call('/v1/audit?operation=updatePerson&limit=4')).json.entries as Entry[]).toSorted(
        (a, b) => b.status - a.status || Number(b.target.personId === kit) - Number(a.target.personId === kit),
      );
    const actor = { kind: 'person', id: jan, name: 'Name of jan' };
    await expect.poll(log).toMatchObject([
      { actor, target: { personId: kit }, changed: [], status: 403, code: 'forbidden_scope' },
      { actor, target: { personId: jan }, changed: [], status: 403, code: 'forbidden_scope' },
      { actor, target: { personId: kit }, changed: ['disabled'], status: 200, code: null },
      { actor, target: { personId: jan }, changed: ['role'], status: 200, code: null },
    ]);

    await world.inJson('update', jan, '--role-from-provider');
    expect((await world.comes('jan', ['admins'])).end).toBe('/');
    expect(await world.listed('jan')).toMatchObject({ role: 'admin' });
    await world.inJson('remove', kit, '--yes');
    await expect
      .poll(async () => (await world.api.call('/v1/audit?limit=1&operation=deletePerson')).json.entries[0])
      .toMatchObject({
        actor: { kind: 'operator', id: null },
        target: { personId: kit },
        changed: [],
        status: 204,
      });
  });
});

describe('a command', () => {
  test.each([
    [['update', 'per_x'], 'Specify what to change'],
    [['update', 'per_x', '--role', 'owner'], 'viewer, editor, admin'],
    [['update', 'per_x', '--role', 'Editor'], 'viewer, editor, admin'],
    [['update', 'per_x', '--project', 'a', '--all-projects'], 'Use --project or --all-projects, not both.'],
    [['update', 'per_x', '--disable', '--enable'], 'Use --disable or --enable, not both.'],
    [['update', '--disable'], "missing required argument 'personId'"],
    [['remove', '--yes'], "missing required argument 'personId'"],
    [['lsit'], 'list'],
  ])('that is wrong is refused before a request: %j', async (args, said) => {
    const { code, stdout, stderr } = await runInside(['person', ...args], {
      ...world.env,
      DOCENT_URL: 'http://127.0.0.1:9',
    });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(said);
  });

  test('for an unknown person reports that, and changes no one', async () => {
    const before = await world.inJson('list');
    for (const id of [`per_${'0'.repeat(20)}`, 'x']) {
      for (const args of [
        ['update', id, '--disable'],
        ['remove', id, '--yes'],
      ]) {
        const { code, stdout, stderr } = await world.person(...args);
        expect([code, stdout]).toEqual([1, '']);
        expect(stderr).toContain(`Person ${id} does not exist.`);
      }
    }
    for (const id of ['../keys', 'per_x y', 'x'.repeat(65), "per_x'; DROP TABLE people; --"]) {
      const { code, stderr } = await world.person('remove', id, '--yes');
      expect([code, stderr], id).toEqual([
        1,
        expect.stringContaining('There is no such person. (person_not_found, request '),
      ]);
    }
    expect(await world.inJson('list')).toEqual(before);
  });

  test('requires the operator token: no key opens people', async () => {
    const key = await world.api.addKey({ scopes: ['read', 'write', 'analytics', 'events'] });
    for (const args of [['list'], ['update', 'per_x', '--disable'], ['remove', 'per_x', '--yes']]) {
      const { code, stderr } = await runInside(['person', ...args], { ...world.env, DOCENT_API_KEY: key });
      expect([code, stderr]).toEqual([1, expect.stringContaining('This route requires the operator token')]);
    }
  });
});
