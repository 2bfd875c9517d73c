import type { Handler } from '../contract/handler.ts';
import { changePullRequest } from './change-pull-request.ts';

export const closePullRequest: Handler<'closePullRequest'> = (input, services) =>
  changePullRequest('close', input, services);
