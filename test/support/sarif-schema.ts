import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';

/** OASIS' own schema, which is of draft 4: what it uses of it means the same in draft 7. */
export function sarifSchema() {
  const file = path.join(import.meta.dirname, '../fixtures/sarif/sarif-schema-2.1.0.json');
  const { id: _id, $schema: _schema, ...schema } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  const ajv = new Ajv({ strict: false, allErrors: true });
  formats.default(ajv);
  return ajv.compile(schema);
}
