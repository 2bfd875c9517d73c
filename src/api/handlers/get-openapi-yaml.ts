import { stringify } from 'yaml';
import type { Handler } from '../contract/handler.ts';
import { spec } from '../contract/spec.ts';

let text: string | undefined;

export const getOpenApiYaml: Handler<'getOpenApiYaml'> = async () => {
  text ??= stringify(spec, { aliasDuplicateObjects: false });
  return { status: 200, type: 'application/yaml', text };
};
