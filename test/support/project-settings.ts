import * as fc from 'fast-check';
import { z } from 'zod';
import { DECLARED } from '../../src/config/project-settings.ts';
import type { ProjectRow } from '../../src/store/projects/projects.ts';

/** Values at the edges of what a declaration takes, and just beyond. */
function edgesOf(schema: z.core.JSONSchema.BaseSchema): { inside: unknown[]; outside: unknown[] } {
  const { minimum = 0, maximum = 0, maxLength = 0, maxItems = 0, pattern = '' } = schema;
  const outside: unknown[] = [{}];
  if (schema.enum) return { inside: schema.enum, outside: [...outside, 'nonsense', 7] };
  switch (schema.type) {
    case 'integer':
      return { inside: [minimum, maximum], outside: [...outside, minimum - 1, maximum + 1, minimum + 0.5, '7'] };
    case 'number':
      return { inside: [0.25, 5], outside: [...outside, schema.exclusiveMinimum, -1, maximum + 1, '7'] };
    case 'boolean':
      return { inside: [true, false], outside: [...outside, 'on', 1] };
    case 'string': {
      // A pattern does not say all.
      if (schema.examples) return { inside: schema.examples, outside: [...outside, '', '\u0000', 7] };
      const fitting = fc.stringMatching(new RegExp(pattern)).filter((text) => text.length <= maxLength);
      const inside = fc
        .sample(fitting, { numRuns: 5, seed: 1 })
        .filter((text) => !/^\s|\s$|^(?:default|-.*)$/.test(text));
      return { inside, outside: [...outside, '', '\u0000', 'a'.repeat(maxLength + 1), 7] };
    }
    case 'array': {
      const { inside: entries, outside: wrong } = edgesOf(schema.items as z.core.JSONSchema.BaseSchema);
      const twice = schema.uniqueItems ? [[entries[0], entries[0]]] : [];
      const many = Array.from({ length: maxItems + 1 }, (_, index) => `a${index}`);
      return {
        inside: entries.map((entry) => [entry]),
        outside: [...outside, ...wrong.map((entry) => [entry]), ...twice, many, entries[0]],
      };
    }
    default:
      throw new Error(`Say what the edges of ${schema.type} are.`);
  }
}

/** Each declared setting, with values inside and outside of its bounds. */
export const declaredSettings = DECLARED.map(([name, setting]) => ({
  name,
  setting,
  ...edgesOf(z.toJSONSchema(setting.read)),
}));

/** A project with these settings and nothing else that is special. */
export function projectWith(stored: ProjectRow['settings']): ProjectRow {
  return {
    id: 'x',
    host: 'local',
    repository: '/srv/x',
    repositoryId: null,
    ref: 'main',
    docsDir: '',
    model: null,
    settings: stored,
    createdAt: new Date(0),
    automationsAppliedAt: null,
    updatedAt: new Date(0),
  };
}
