import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { settingsSchema } from '@docent/docs-check/checks/known/settings-form';

test('editors get the schema of .docent.json that the program reads it by', () => {
  const file = new URL('../../../integrations/docent.schema.json', import.meta.url);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(settingsSchema());
});
