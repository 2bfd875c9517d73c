import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { TestApi } from './api-server.ts';

interface HostedDocument {
  paths: Record<string, Record<string, HostedOperation>>;
  components: object;
}

interface HostedOperation {
  responses: Record<string, { headers?: Record<string, object>; content?: Record<string, { schema: object }> }>;
}

const document = JSON.parse(readFileSync('test/fixtures/openapi/hosted-service.json', 'utf8')) as HostedDocument;
const ajv = new Ajv2020({ strict: false });
formats.default(ajv);
ajv.addSchema(document, 'hosted');

type Call = Parameters<TestApi['call']>[1];
type Answer = Awaited<ReturnType<TestApi['call']>>;

/**
 * A client that knows the hosted service's published description and nothing of Docent's. It throws where a
 * status, a header or a body is not what is described there.
 * @param path as it is described, with `{names}`
 */
export async function callAsHosted(
  api: TestApi,
  method: string,
  path: string,
  ids: Record<string, string>,
  call: Call & { query?: string } = {},
): Promise<Answer> {
  const operation = document.paths[path]?.[method.toLowerCase()];
  if (!operation) throw new Error(`The hosted service has no ${method} ${path}.`);
  const real = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(ids[name] ?? ''));
  const answer = await api.call(`${real}${call.query ?? ''}`, { ...call, method });
  const described = operation.responses[String(answer.status)];
  if (!described) throw new Error(`${method} ${path} answers ${answer.status}, which is not described: ${answer.text}`);
  for (const header of Object.keys(described.headers ?? {})) {
    if (!answer.headers.has(header)) throw new Error(`${method} ${path} lacks the header ${header}.`);
  }
  const [type, content] = Object.entries(described.content ?? {})[0] ?? [];
  if (type === undefined || !content) return answer;
  if (!answer.headers.get('content-type')?.startsWith(type)) throw new Error(`${method} ${path} is no ${type}.`);
  if (type !== 'application/json') return answer;
  const pointer = ['paths', path, method.toLowerCase(), 'responses', String(answer.status), 'content', type, 'schema']
    .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
    .join('/');
  const check = ajv.compile({ $ref: `hosted#/${pointer}` });
  if (!check(answer.json)) throw new Error(`${method} ${path}: ${ajv.errorsText(check.errors)} in ${answer.text}`);
  return answer;
}
