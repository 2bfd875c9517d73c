import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { SERVER_VERSION } from '../../../scripts/cluster/temporal-programs.ts';
import { loadConfig, SETTINGS } from '../../../src/config/config.ts';
import { MAX_IMAGE_BYTES } from '../../../src/jobs/attachment-type.ts';
import { SEARCH_ATTRIBUTES } from '../../../src/workflows/contract.ts';

const ROOT = path.join(import.meta.dirname, '../../..');
const textOf = (...place: string[]) => readFileSync(path.join(ROOT, ...place), 'utf8');
const filesIn = (...place: string[]) => readdirSync(path.join(ROOT, ...place)).map((name) => [...place, name]);

const FILES = [
  ['Containerfile'],
  ['deploy', 'compose.yaml'],
  ...filesIn('deploy', 'kubernetes'),
  ...filesIn('deploy', 'systemd'),
];

interface Manifest {
  kind: string;
  metadata?: { name: string };
  spec?: { template?: { spec: PodSpec } };
}
interface PodSpec {
  initContainers?: Container[];
  terminationGracePeriodSeconds: number;
  securityContext: { runAsNonRoot: boolean; runAsUser: number };
  containers: Container[];
}
interface Container {
  image: string;
  securityContext: { readOnlyRootFilesystem: boolean; allowPrivilegeEscalation: boolean };
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
}
interface Probe {
  httpGet: { path: string };
}

const manifests = filesIn('deploy', 'kubernetes').flatMap((place) =>
  parseAllDocuments(textOf(...place)).map((document) => document.toJS() as Manifest),
);
const allPods = manifests.flatMap(({ spec }) => spec?.template?.spec ?? []);
/** Docent's own. */
const pods = allPods.filter(({ containers: [container] }) => container?.image.includes('/docent:'));
const compose = parse(textOf('deploy', 'compose.yaml'), { merge: true }) as {
  services: Record<string, { image: string; read_only?: boolean; user?: string; stop_grace_period?: string }>;
  configs: Record<string, { content: string }>;
};
const { drainSeconds, shutdownGraceSeconds } = loadConfig({});
/** See docs/operate/production.mdx, Stop and restart. */
const GRACE = drainSeconds + shutdownGraceSeconds + 15;

test.each(FILES)('every setting that %s %s %s names is one of Docent, or it would do nothing', (...place) => {
  const known = new Set(Object.values(SETTINGS).map(({ env }) => env));
  const named = textOf(...place.filter((part) => typeof part === 'string')).match(/\bDOCENT_[A-Z_]+/g) ?? [];
  // What is read from files of these names, and what only Compose reads.
  expect(named.filter((name) => !known.has(name.replace(/_FILE$/, '')) && name !== 'DOCENT_IMAGE')).toEqual([]);
});

test('Kubernetes asks addresses that the API has, for as long as a start may take', () => {
  const paths = Object.keys((parse(textOf('openapi.yaml')) as { paths: object }).paths);
  const asked = pods.flatMap(({ containers: [container] }) =>
    [container?.startupProbe, container?.livenessProbe, container?.readinessProbe].flatMap(
      (probe) => probe?.httpGet.path ?? [],
    ),
  );
  expect(asked.toSorted()).toEqual(['/healthz', '/healthz', '/readyz']);
  expect(paths).toEqual(expect.arrayContaining(asked));
});

test('nothing is killed while it drains', () => {
  for (const { terminationGracePeriodSeconds } of pods)
    expect(terminationGracePeriodSeconds).toBeGreaterThanOrEqual(GRACE);
  for (const role of ['api', 'worker'])
    expect(parseInt(compose.services[role]?.stop_grace_period ?? '')).toBeGreaterThanOrEqual(GRACE);
  for (const place of filesIn('deploy', 'systemd'))
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(textOf(...place))?.[1])).toBeGreaterThanOrEqual(GRACE);
});

test('nothing runs as root, or may write what it runs', () => {
  expect(pods).toHaveLength(3);
  for (const { securityContext } of allPods) expect(securityContext.runAsNonRoot).toBe(true);
  for (const { securityContext, containers } of pods) {
    expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10001 });
    for (const container of containers)
      expect(container.securityContext).toMatchObject({
        readOnlyRootFilesystem: true,
        allowPrivilegeEscalation: false,
      });
  }
  for (const role of ['api', 'worker'])
    expect(compose.services[role]).toMatchObject({ read_only: true, user: '10001:10001' });
  expect(textOf('Containerfile')).toMatch(/^USER 10001:10001$/m);
});

/** What `openssl rand` prints. */
const randomText = (form: string, bytes: string) =>
  form === 'hex' ? '0f'.repeat(Number(bytes)) : Buffer.alloc(Number(bytes), 15).toString('base64');

test('Docent takes the settings that the documented commands write into deploy/.env', () => {
  const [, written = ''] =
    /cat > deploy\/\.env <<END\n([\s\S]*?)\nEND/.exec(textOf('docs', 'operate', 'install.mdx')) ?? [];
  const env = Object.fromEntries(
    written
      .replaceAll(/\$\(openssl rand -(hex|base64) (\d+)\)/g, (_, form: string, bytes: string) =>
        randomText(form, bytes),
      )
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
  expect(Object.keys(env)).toEqual(['POSTGRES_PASSWORD', 'DOCENT_OPERATOR_TOKEN', 'DOCENT_SECRET_KEY']);
  expect(loadConfig(env)).toMatchObject({ operatorToken: expect.anything(), secretKeys: [expect.anything()] });
});

test('Docent accepts the output of the commands beside the Kubernetes secrets', () => {
  const lines = textOf('deploy', 'kubernetes', 'secret.example.yaml').split('\n');
  const env = Object.fromEntries(
    lines.flatMap((line, i) => {
      const [, form, bytes] = /# openssl rand -(hex|base64) (\d+)/.exec(line) ?? [];
      const [, name] = /^ +(DOCENT_\w+):/.exec(lines[i + 1] ?? '') ?? [];
      return form && bytes && name ? [[name, randomText(form, bytes)]] : [];
    }),
  );
  expect(Object.keys(env)).toEqual(['DOCENT_OPERATOR_TOKEN', 'DOCENT_SECRET_KEY']);
  expect(loadConfig(env).secretKeys).toHaveLength(1);
});

test('the API gets the model that workers get, and without one an operator can set it in the dashboard', () => {
  const { api, worker } = compose.services as Record<string, { environment?: Record<string, string> }>;
  expect(api?.environment?.DOCENT_MODEL).toBe(worker?.environment?.DOCENT_MODEL);
  const settings = manifests.find(({ kind }) => kind === 'ConfigMap') as unknown as { data: Record<string, string> };
  expect(settings.data.DOCENT_MODEL).toBeUndefined();
  expect(api?.environment?.DOCENT_MODEL).toBe('${DOCENT_MODEL:-}');
  expect(loadConfig({ DOCENT_MODEL: '' }).model).toBeUndefined();
});

test('only workers get the keys of models, whichever provider they are for', () => {
  const { api, worker } = compose.services as Record<string, { env_file?: unknown }>;
  expect([api?.env_file, worker?.env_file]).toEqual([undefined, [{ path: 'model.env', required: false }]]);
  const secret = 'secretRef: { name: docent-model }';
  expect(textOf('deploy', 'kubernetes', 'worker.yaml')).toContain(secret);
  expect(textOf('deploy', 'kubernetes', 'api.yaml')).not.toContain(secret);
});

test('Compose and Kubernetes set up Temporal alike, with tools of the server that Docent is tested with', () => {
  const files = manifests.find(({ metadata }) => metadata?.name === 'docent-temporal-files') as unknown as {
    data: Record<string, string>;
  };
  const { temporal, 'temporal-schema': schema, 'temporal-namespace': namespace } = compose.configs;
  expect(files.data).toEqual({
    'dynamic-config.yaml': temporal?.content,
    'schema.sh': schema?.content,
    'namespace.sh': namespace?.content,
  });
  const images = [
    ...allPods.flatMap(({ containers, initContainers = [] }) => [...initContainers, ...containers]),
    ...Object.values(compose.services),
  ].flatMap(({ image }) => /temporalio\/([\w-]+):([\d.]+)/.exec(image)?.slice(1, 3).join(' ') ?? []);
  expect(new Set(images)).toEqual(new Set([`server ${SERVER_VERSION}`, `admin-tools ${SERVER_VERSION}`]));
});

test('Temporal gets the search attributes that Docent uses', () => {
  const made = [...(compose.configs['temporal-namespace']?.content ?? '').matchAll(/--name (\w+) --type Keyword/g)];
  expect(made.map(([, name]) => name)).toEqual(Object.values(SEARCH_ATTRIBUTES));
});

test.each([
  ['docs/operate/reverse-proxies.mdx', /client_max_body_size (\d+)m/],
  ['docs/analytics/send-events.mdx', /client_max_body_size (\d+)m/],
  ['deploy/kubernetes/ingress.yaml', /proxy-body-size: (\d+)m/],
])('the proxy of %s takes the largest body that the API takes', (file, limit) => {
  const [, megabytes] = /A body is limited to (\d+) MB uncompressed/.exec(textOf('openapi.yaml')) ?? [];
  expect(limit.exec(textOf(file))?.[1]).toBe(megabytes);
  expect(Number(megabytes) * 1024 * 1024).toBeGreaterThanOrEqual(MAX_IMAGE_BYTES);
});

test('workflows run actions of one commit each, which no one can move', () => {
  const files = [...filesIn('.github', 'workflows'), ['integrations', 'github-action', 'action.yml']];
  const used = files.flatMap((place) => [...textOf(...place).matchAll(/\buses: (.*)/g)].map(([, action]) => action));
  expect(used.length).toBeGreaterThan(20);
  expect(used.filter((action) => !/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action ?? ''))).toEqual([]);
});
