import type { Handler } from '../contract/handler.ts';
import { spec } from '../contract/spec.ts';

export const getOpenApiJson: Handler<'getOpenApiJson'> = async () => ({ status: 200, body: { ...spec } });
