import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { verifyDelivery } from '../../../src/jobs/hook-signature.ts';
import { assertFilter, passesFilter } from '../../../src/jobs/payload-filter.ts';
import {
  assertSchedule,
  calendarsOf,
  isMissed,
  lastOccurrence,
  occurrenceKey,
  occurrences,
  occursAt,
  scheduleText,
  type ScheduleTrigger,
} from '../../../src/jobs/schedule-trigger.ts';
import { codeMaterial, diffOf, filesOf } from '../../../src/jobs/code-material.ts';
import {
  assertCodeTrigger,
  codeEventOf,
  pageOfCodeEvent,
  staleCitationOn,
  wantedFiles,
  wantsEvent,
  type CodeTrigger,
} from '../../../src/jobs/code-trigger.ts';
import { fillPrompt } from '../../../src/jobs/automation-run.ts';
import { materialOf } from '../../../src/jobs/start-run.ts';
import { decide, type EventFacts } from '../../../src/jobs/take-event.ts';
import { summaryLine, triggerText } from '../../../src/jobs/trigger-text.ts';

const schedule = (cron: string, more: Partial<ScheduleTrigger> = {}): ScheduleTrigger => ({
  type: 'schedule',
  cron,
  timezone: 'Europe/Berlin',
  jitterMinutes: 0,
  catchUp: 'one',
  ...more,
});
const NOW = new Date('2026-11-26T12:00:00Z');

const morningOf = (day: number) => new Date(`2026-11-${day}T08:00:00Z`);

describe('a schedule', () => {
  test.each([
    ['*/15 * * * *'],
    ['0 9 * * 1'],
    ['0 9 * * MON-FRI'],
    ['0 0 29 2 *'],
    ['50 1,3 * * *'],
    ['59 23,1 * * *'],
  ])('%s is accepted', (cron) => {
    expect(() => assertSchedule(schedule(cron), NOW)).not.toThrow();
  });

  test.each([
    ['*/10 * * * *', 'less than 15 minutes apart'],
    ['0,10 0 1 1 *', 'less than 15 minutes apart'],
    ['55,0 9 * * *', 'ok'],
    ['59,0 * * * *', 'less than 15 minutes apart'],
    // 70 minutes on the wall, ten in fact, on the day on which clocks go forward.
    ['0,50 1,3 * * *', 'less than 15 minutes apart'],
    ['0 0 30 2 *', 'is not a valid schedule'],
    ['@daily', 'five fields'],
    ['0 0 9 * * 1', 'five fields'],
    ['0 9 L * *', 'five fields'],
    ['61 9 * * *', 'is not a valid schedule'],
  ])('%s is judged by its real occurrences', (cron, reason) => {
    const judge = () => assertSchedule(schedule(cron), NOW);
    if (reason === 'ok') expect(judge).not.toThrow();
    else expect(judge).toThrow(reason);
  });

  test('is refused in a zone without a name', () => {
    for (const timezone of ['Mars/Olympus', '+02:00', '']) {
      expect(() => assertSchedule(schedule('0 9 * * 1', { timezone }), NOW)).toThrow('is not a time zone');
    }
  });

  test('keeps the time on the wall when clocks change, in both directions', () => {
    const nine = schedule('0 9 * * *');
    expect(occursAt(nine, new Date('2026-03-28T08:00:00Z'))).toBe(true);
    expect(occursAt(nine, new Date('2026-03-29T07:00:00Z'))).toBe(true);
    expect(occursAt(nine, new Date('2026-10-24T07:00:00Z'))).toBe(true);
    expect(occursAt(nine, new Date('2026-10-25T08:00:00Z'))).toBe(true);
    expect(occursAt(nine, new Date('2026-10-25T07:00:00Z'))).toBe(false);
  });

  test('counts an hour that the clock repeats once, unless every hour counts', () => {
    const [first, second] = [new Date('2026-10-25T00:30:00Z'), new Date('2026-10-25T01:30:00Z')];
    expect(occurrenceKey(schedule('30 2 * * *'), first)).toBe(occurrenceKey(schedule('30 2 * * *'), second));
    expect(occurrenceKey(schedule('30 * * * *'), first)).not.toBe(occurrenceKey(schedule('30 * * * *'), second));
  });

  // Clocks that change by an hour, half an hour and two, at midnight and at an odd minute, and never.
  test.each([
    ['Europe/Berlin', '2026-03-29', '2026-10-25'],
    ['Australia/Lord_Howe', '2026-10-04', '2026-04-05'],
    ['Antarctica/Troll', '2026-03-29', '2026-10-25'],
    ['Pacific/Chatham', '2026-09-27', '2026-04-05'],
    ['Asia/Beirut', '2026-03-29', '2026-10-25'],
    ['Asia/Kathmandu', '2026-03-29', '2026-10-25'],
  ])('in %s occurs when the wall shows its time, on the days around a change of the clock', (timezone, ...days) => {
    const wall = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'short' });
    // All clocks differ from UTC by quarters of an hour.
    const quarter = 15 * 60_000;
    for (const day of days) {
      const start = Date.parse(day) - 20 * 4 * quarter;
      const instants = Array.from({ length: 40 * 4 }, (_, i) => start + i * quarter);
      const shown = new Map(instants.map((at) => [at, wall.format(at)]));
      for (const [cron, pattern, isEveryHour = false] of [
        ['30 2 * * *', /02:30$/],
        ['0 0 * * *', /00:00$/],
        ['45 1,3 * * *', /0[13]:45$/],
        ['0 */3 * * *', /(00|03|06|09|12|15|18|21):00$/],
        ['15 * * * *', /:15$/, true],
        ['*/15 * * * *', /$/, true],
      ] as const) {
        const daily = schedule(cron, { timezone });
        const matching = instants.filter((at) => pattern.test(shown.get(at)!));
        const wanted = isEveryHour
          ? matching
          : matching.filter((at) => matching.find((one) => shown.get(one) === shown.get(at)) === at);
        const found: number[] = [];
        for (const next of occurrences(daily, new Date(start - 1))) {
          if (next.getTime() > instants.at(-1)!) break;
          found.push(next.getTime());
        }
        const what = `${cron} in ${timezone} on ${day}`;
        expect(found, what).toEqual(wanted);
        // Both times that the wall shows it, Temporal may report it: by one name.
        const occurring = isEveryHour ? matching : instants.filter((at) => occursAt(daily, new Date(at)));
        expect(occurring, what).toEqual(matching);
        const names = matching.map((at) => occurrenceKey(daily, new Date(at)));
        expect(new Set(names).size, what).toBe(wanted.length);
        for (const [i, at] of isEveryHour ? [] : wanted.entries()) {
          const span = { after: new Date(start - 1), until: new Date((wanted[i + 1] ?? at + 1) - 1) };
          expect(lastOccurrence(daily, span)?.getTime(), what).toBe(at);
          expect(lastOccurrence(daily, { after: new Date(at), until: span.until }), what).toBeNull();
        }
      }
    }
  });

  test('takes a day of the month and one of the week as alternatives', () => {
    expect(calendarsOf(schedule('0 9 1 * 7'))).toMatchObject([{ dayOfMonth: [1] }, { dayOfWeek: [0] }]);
    expect(calendarsOf(schedule('0 9 * * *'))).toEqual([
      { minute: [0], hour: [9], month: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] },
    ]);
  });

  test('runs the newest missed occurrence, or none of them', () => {
    const daily = schedule('0 9 * * *');
    expect([20, 25, 26].map((day) => isMissed(daily, morningOf(day), NOW))).toEqual([true, true, false]);
    expect(isMissed({ ...daily, catchUp: 'none' }, morningOf(26), NOW)).toBe(true);
    expect(isMissed({ ...daily, catchUp: 'none' }, morningOf(26), new Date('2026-11-26T08:09:00Z'))).toBe(false);
  });

  test('is shown in words', () => {
    expect(scheduleText(schedule('0 9 * * 1'))).toBe('At 09:00 AM, only on Monday (Europe/Berlin)');
  });
});

describe('a delivery', () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const body = Buffer.from('{"action":"published"}');
  const hub = (key: string, of = body) => `sha256=${createHmac('sha256', key).update(of).digest('hex')}`;
  const standard = (at = new Date(), id = 'msg_1', of = body) => ({
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, at, of.toString()),
  });

  test('is verified in each of four ways, and named as its repeats are', () => {
    expect(verifyDelivery(standard(), body, secret)).toMatchObject({
      scheme: 'standard-webhooks',
      deliveryId: 'msg_1',
    });
    const github = (id: string) => ({
      'x-hub-signature-256': hub(secret),
      'x-github-delivery': id,
      'x-github-event': 'release',
    });
    const first = verifyDelivery(github('1'), body, secret);
    expect(first).toMatchObject({ scheme: 'github', event: 'release' });
    // A copy under another id is the same delivery.
    expect(verifyDelivery(github('2'), body, secret)).toEqual(first);
    const gitlab = { 'x-gitlab-token': secret, 'idempotency-key': 'k', 'x-gitlab-event': 'Push Hook' };
    expect(verifyDelivery(gitlab, body, secret)).toEqual({ scheme: 'gitlab', deliveryId: 'k', event: 'Push Hook' });
    expect(verifyDelivery({ authorization: `Bearer ${secret}` }, body, secret)).toEqual({
      scheme: 'bearer',
      deliveryId: null,
      event: null,
    });
  });

  test('with a long id is named as its repeats are, in each way', () => {
    const long = 'm'.repeat(1_000);
    for (const headersOf of [
      (id: string) => standard(new Date(), id),
      (id: string) => ({ 'x-gitlab-token': secret, 'x-gitlab-event-uuid': id }),
      (id: string) => ({ authorization: `Bearer ${secret}`, 'idempotency-key': id }),
    ]) {
      const [first, again, other] = [long, long, `${long}x`].map(
        (id) => verifyDelivery(headersOf(id), body, secret)?.deliveryId,
      );
      expect(first).toMatch(/^sha256:[0-9a-f]{64}$/);
      expect(again).toBe(first);
      expect(other).not.toBe(first);
    }
  });

  test.each<[string, Record<string, string>]>([
    ['nothing', {}],
    ['another secret', { authorization: 'Bearer whsec_other' }],
    ['no secret', { authorization: 'Bearer ' }],
    ['an empty token', { 'x-gitlab-token': '' }],
    ['a signature of another secret', { 'x-hub-signature-256': hub('other') }],
    ['a signature of another body', { 'x-hub-signature-256': hub(secret, Buffer.from('{}')) }],
    ['an old message', standard(new Date(Date.now() - 86_400_000))],
    ['a message from the future', standard(new Date(Date.now() + 3_600_000))],
    ['another message id', { ...standard(), 'webhook-id': 'msg_2' }],
    ['a signature that does not parse', { ...standard(), 'webhook-signature': 'v1,%%%' }],
    ['a bad signature beside a good token', { 'webhook-signature': 'v1,x', authorization: `Bearer ${secret}` }],
  ])('with %s is refused', (_what, headers) => {
    expect(verifyDelivery(headers, body, secret)).toBeNull();
  });
});

const json = (payload: unknown) => Buffer.from(JSON.stringify(payload));

test('says on one line why a run changed nothing', () => {
  expect(summaryLine('Changed nothing\n\nNo recipe matches.\n\nSet up a model.', 42)).toBe(
    'Changed nothing: No recipe matches. Set u…',
  );
  expect(summaryLine('The model is away.', 42)).toBe('The model is away.');
});

describe('a filter', () => {
  test('is true by the rules of JMESPath', () => {
    expect(passesFilter("action == 'published'", json({ action: 'published' }))).toEqual({ passes: true });
    for (const payload of [{ action: 'created' }, {}, [], null]) {
      expect(passesFilter("action == 'published'", json(payload)).passes).toBe(false);
    }
    expect(passesFilter('commits[].id', json({ commits: [{ id: 1 }] })).passes).toBe(true);
    expect(passesFilter('commits[].id', json({ commits: [] })).passes).toBe(false);
  });

  test('that fails, or takes too long, refuses the payload and gives the reason', () => {
    expect(passesFilter('length(x)', json({ x: 5 }))).toMatchObject({ passes: false, reason: /^The filter failed/ });
    expect(passesFilter('x', Buffer.from('no JSON'))).toMatchObject({ passes: false, reason: /not JSON/ });
    const many = { a: Array.from({ length: 3_000 }, (_, i) => i) };
    const startedAt = performance.now();
    const slow = 'a[?contains($.a, @) && contains($.a, @)].{x: length($.a[?contains($.a, @)])}';
    expect(passesFilter(slow, json(many))).toEqual({
      passes: false,
      reason: 'The filter failed: it took longer than 250 ms.',
    });
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  test('is refused if it is not an expression, or its result has no bound', () => {
    for (const filter of ['a ==', '[?', "pad_left('x', `1000000000`)"]) {
      expect(() => assertFilter(filter), filter).toThrow('trigger.filter');
    }
  });
});

describe('an event', () => {
  const facts: EventFacts = {
    automation: {
      enabled: true,
      pausedAt: null,
      pausedReason: null,
      trigger: { type: 'webhook' },
      maxRunsPerDay: null,
      cooldownMinutes: null,
    },
    event: { source: 'webhook:acme/a', deliveryId: '1', event: null, body: Buffer.from('{}') },
    scheduledAt: null,
    isQueued: false,
    today: 0,
    lastAt: null,
    now: NOW,
  };
  const minutesAgo = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000);
  const decided = (automation: Partial<EventFacts['automation']>, more: Partial<EventFacts> = {}) => {
    const decision = decide({ ...facts, ...more, automation: { ...facts.automation, ...automation } });
    return decision.kind === 'skip' ? decision.because : decision.kind;
  };

  test('becomes a run, a part of the one that waits, or is skipped for a reason', () => {
    expect(decided({})).toBe('run');
    expect(decided({}, { isQueued: true, today: 9 })).toBe('join');
    expect(decided({ enabled: false })).toBe('disabled');
    expect(decided({ pausedAt: NOW, pausedReason: 'x' })).toBe('paused');
    expect(decided({ trigger: { type: 'webhook', filter: 'a' } }, { isQueued: true })).toBe('filtered');
    expect(decided({ maxRunsPerDay: 2 }, { today: 2 })).toBe('cap');
    expect(decided({ maxRunsPerDay: 2 }, { today: 1 })).toBe('run');
    expect(decided({ cooldownMinutes: 10 }, { lastAt: minutesAgo(9) })).toBe('cooldown');
    expect(decided({ cooldownMinutes: 10 }, { lastAt: minutesAgo(10) })).toBe('run');
    const late = { scheduledAt: new Date('2026-11-20T08:00:00Z') };
    expect(decided({ trigger: schedule('0 9 * * *') }, late)).toBe('missed');
    const reported = { scheduledAt: minutesAgo(5), event: { ...facts.event, event: 'reported' } };
    expect(decided({ trigger: schedule('55 12 * * *') }, reported)).toBe('duplicate');
  });
});

describe('material', () => {
  test('is cut to the limit of a prompt, with a note', () => {
    const { text, material } = materialOf([Buffer.from(JSON.stringify({ long: 'x'.repeat(1_000_000) }))], 1);
    expect(material).toEqual({ commits: 0, files: 0, characters: 16_000, cut: true });
    expect(text?.length).toBeLessThan(16_384);
    expect(text).toMatch(/\[Docent left out a part of this material: .*\]$/);
  });

  test('shows the newest events, and how many there were', () => {
    const { text, material } = materialOf([Buffer.from('{"n":2}'), Buffer.from('first')], 2);
    expect(material?.cut).toBe(false);
    expect(text).toBe('Event 1 of 2, newest first:\n{\n  "n": 2\n}\n\nEvent 2 of 2, newest first:\nfirst');
    expect(materialOf([Buffer.from('a')], 900).material).toMatchObject({ cut: true });
    expect(materialOf([], 1)).toEqual({ text: undefined, material: null });
  });
});

describe('a prompt with variables', () => {
  const all = { commits: true, files: true, payload: true };

  test('points to the material, and never contains what senders wrote', () => {
    const filled = fillPrompt('Since {{since}}: {{commits}}, {{ files }}, {{payload}}, {{other}}', 'Be brief.', {
      since: 'abc of api',
      has: { ...all, payload: false },
    });
    expect(filled).toBe(
      'Since abc of api: the commits in the context below, the changed files in the context below, (no payload), {{other}}\n\nBe brief.',
    );
  });

  test('that is too long is truncated, with a note', () => {
    const filled = fillPrompt('{{since}} '.repeat(3_000), null, { since: 'a'.repeat(40), has: all });
    expect(filled).toHaveLength(32_768);
    expect(filled).toMatch(/\[Docent left out the rest of this prompt: the limit is 32,768 characters\.\]$/);
  });
});

const part = (file: string) => `diff --git a/${file} b/${file}\n--- a/${file}\n+++ b/${file}\n@@ -1 +1 @@\n-a\n+b\n`;

describe('a trigger by code', () => {
  const trigger: CodeTrigger = { type: 'code', events: ['opened', 'merged', 'pushed'] };
  const api = { name: 'api', ref: 'main' };
  const account = { id: '1', login: 'ann' };
  const repository = { id: '7', path: 'acme/api' };
  const push = (branch: string, after: string | null = 'b') =>
    codeEventOf({ kind: 'push', repository, at: null, branch, before: 'a', after });
  const pull = (action: 'opened' | 'ready' | 'merged' | 'closed' | 'pushed', isDraft = false, base = 'main') =>
    codeEventOf({
      kind: 'pull_request',
      repository,
      at: null,
      action,
      body: null,
      pullRequest: {
        number: 3,
        title: 'x',
        isDraft,
        state: 'open',
        author: account,
        head: { branch: 'f', sha: 'c', repositoryId: '7' },
        base: { branch: base },
        isFork: false,
        labels: [],
        url: 'https://example.com/3',
      },
    });
  const wants = (event: ReturnType<typeof push>, more: Partial<CodeTrigger> = {}, watched = api) =>
    event !== null && wantsEvent({ ...trigger, ...more }, watched, event);

  const page = (url: string | null) => pageOfCodeEvent(Buffer.from(JSON.stringify({ ...pull('opened'), url })));

  test('names the page of a pull request, unless its address is unsafe', () => {
    expect(page('https://example.com/3')).toBe('https://example.com/3');
    for (const url of [
      null,
      'javascript:alert(1)',
      'data:text/html,x',
      '//x',
      `https://example.com/${'a'.repeat(3_000)}`,
    ]) {
      expect(page(url), String(url)).toBeNull();
    }
  });

  test('accepts only its events, branches and repositories, and drafts only if configured', () => {
    expect(wants(push('main'))).toBe(true);
    expect(wants(push('main', null))).toBe(false);
    expect(wants(push('next'))).toBe(false);
    expect(wants(push('release/2'), { branches: ['release/*'] })).toBe(true);
    expect(wants(push('old/main'), { branches: ['main'] })).toBe(false);
    expect(wants(push('main'), { events: ['merged'] })).toBe(false);
    expect([wants(pull('opened')), wants(pull('ready')), wants(pull('merged'))]).toEqual([true, true, true]);
    expect([wants(pull('closed')), wants(pull('pushed'))]).toEqual([false, false]);
    expect([wants(pull('opened', true)), wants(pull('opened', true), { ignoreDrafts: false })]).toEqual([false, true]);
    expect(wants(pull('merged', false, 'next'))).toBe(false);
    expect(wants(push('main'), { repositories: ['web'] })).toBe(false);
    // Its own repository is watched if it is named alone.
    expect(wants(push('main'), {}, { name: '.', ref: 'main' })).toBe(false);
    expect(wants(push('main'), { repositories: ['.'] }, { name: '.', ref: 'main' })).toBe(true);
  });

  test('is about the files of its paths, and never about the docs that its runs change', () => {
    const files = ['src/a.ts', 'src/a.test.ts', 'docs/a.mdx'];
    const own = { name: '.', docsDir: 'docs' };
    expect(wantedFiles(trigger, own, files)).toEqual(['src/a.ts', 'src/a.test.ts']);
    expect(wantedFiles(trigger, { ...own, name: 'api' }, files)).toEqual(files);
    expect(wantedFiles({ ...trigger, paths: ['docs/**', 'src/*.test.ts'] }, own, files)).toEqual(['src/a.test.ts']);
    expect(() => assertCodeTrigger({ ...trigger, repositories: ['.'] }, '')).toThrow('would start the next one');
    expect(() => assertCodeTrigger({ ...trigger, paths: ['[a'] }, 'docs')).toThrow('`trigger.paths`');
  });

  test('shows commits, files and diff within limits, and says what it left out', () => {
    const change = {
      name: 'api',
      branch: 'main',
      pullRequest: null,
      since: 'aaa',
      until: 'bbb',
      commits: [{ id: 'b'.repeat(40), message: 'Add keys\n\nBody', authorName: 'Ann' }],
      files: ['src/a.ts'],
      diff: 'diff --git a/src/a.ts b/src/a.ts\n--- a/src/a.ts\n+++ b/src/a.ts\n+x\n',
      problem: null,
    };
    const event = { name: 'pushed', repository: 'api', number: null, title: null, branch: 'main' };
    const shown = codeMaterial([event], [change]);
    for (const part of ['- pushed (main)', 'since aaa', '- bbbbbbbbbb Add keys (Ann)', '- src/a.ts', '+x']) {
      expect(shown.text).toContain(part);
    }
    expect(shown.material).toMatchObject({ commits: 1, files: 1, cut: false });
    const many = codeMaterial(
      [event],
      [{ ...change, files: Array.from({ length: 5_000 }, (_, i) => `src/${i}.ts`), diff: 'x'.repeat(1_000_000) }],
    );
    expect(many.material).toMatchObject({ files: 5_000, cut: true });
    expect(many.text.length).toBeLessThan(16_200);
    expect(many.text).toContain('[Docent left out a part of this material');
  });

  describe('that cited lines start', () => {
    const claim = { page: 'docs/a.md', line: 3, claim: 'Keys have "40" characters.', path: 'src/keys.ts' };
    const stale = staleCitationOn('main', { ...claim, fromLine: 4, toLine: 9, isGone: false });
    const gone = staleCitationOn('main', { ...claim, fromLine: 4, toLine: 9, isGone: true });
    const events: CodeTrigger['events'] = ['stale_citation'];

    test('wants it from its sources and branches, and of files in its paths', () => {
      expect(wants(stale)).toBe(false);
      expect(wants(stale, { events })).toBe(true);
      expect(wants(stale, { events, paths: ['src/**'] })).toBe(true);
      expect(wants(stale, { events, paths: ['lib/**'] })).toBe(false);
      expect(wants(stale, { events, repositories: ['web'] })).toBe(false);
      expect(wants(stale, { events, branches: ['next'] })).toBe(false);
    });

    test('shows the statements and where their lines are, but not the lines', () => {
      const { text, material } = codeMaterial(
        [stale, gone].map((event) => ({ ...event, repository: 'api' })),
        [],
      );
      expect(text).toBe(
        'Statements whose cited lines have changed:\n' +
          String.raw`- docs/a.md:3 "Keys have \"40\" characters." cites api:src/keys.ts#L4-L9` +
          '\n' +
          String.raw`- docs/a.md:3 "Keys have \"40\" characters." cites api:src/keys.ts#L4-L9, which is gone`,
      );
      expect(material).toEqual({ commits: 0, files: 0, characters: text.length, cut: false });
      const many = codeMaterial(
        Array.from({ length: 100 }, () => ({ ...stale, repository: 'api' })),
        [],
      );
      expect(many.material.cut).toBe(true);
      expect(many.text).toMatch(/more are left out here/);
    });

    test('is shown in words', () => {
      expect(triggerText({ ...trigger, events })).toBe('When cited lines change in any source');
      const both = triggerText({ ...trigger, events: ['pushed', 'stale_citation'], repositories: ['api'] });
      expect(both).toBe('When code is pushed or cited lines change in api');
      const all = triggerText({ ...trigger, events: ['opened', 'merged', 'pushed'] });
      expect(all).toBe('When code is pushed or pull requests are opened or merged in any source');
    });
  });

  test('keeps only the parts of a diff that are about its files', () => {
    expect(diffOf(part('a.ts') + part('b.ts'), ['b.ts'])).toBe(part('b.ts'));
    // Git quotes such names; and a removed line can look like a header.
    const quoted = part('x').replaceAll(/([ab])\/x/g, String.raw`"$1/\303\274.ts"`);
    expect(filesOf(quoted)).toEqual(['ü.ts']);
    expect(diffOf(quoted, ['ü.ts'])).toBe(quoted);
    const tricky = part('a.ts').replace('-a\n+b', '--- a/b.ts\n+++ b/b.ts');
    expect(diffOf(tricky, ['b.ts'])).toBe('');
  });

  test('shows a pull request beside the branch', () => {
    const pull = { name: 'api', branch: 'main', pullRequest: 3, since: null, until: null, problem: null };
    const commits = [{ id: 'c'.repeat(40), message: 'Add keys', authorName: 'Ann' }];
    const opened = { name: 'opened', repository: 'api', number: 3, title: 'Keys', branch: 'main' };
    const { text } = codeMaterial([opened], [{ ...pull, commits, files: ['a.ts'], diff: part('a.ts') }]);
    for (const shown of [
      'Commits in api, pull request #3, newest first:',
      'Diff of api, pull request #3:\ndiff --git',
    ]) {
      expect(text).toContain(shown);
    }
  });
});
