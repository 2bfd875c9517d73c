import type { Handler } from '../contract/handler.ts';
import { changePullRequest } from './change-pull-request.ts';

export const mergePullRequest: Handler<'mergePullRequest'> = (input, services) =>
  changePullRequest('merge', input, services);
