import { stringify } from 'yaml';
import type { Handler } from '../contract/handler.ts';
import { spec } from '../contract/spec.ts';
import { errorBody } from '../contract/error-body.ts';
import { judgeReadiness } from '../../platform/health.ts';
import { AppError } from '../../platform/errors.ts';

export const getHealth: Handler<'getHealth'> = async () => ({ status: 200, body: { status: 'ok' } });

export const getReadiness: Handler<'getReadiness'> = async ({ request }, { readiness, isLeaving }) => {
  const found = await readiness();
  const {
    damagedFiles,
    setAsideFiles,
    databaseProblem: _database,
    bucketProblem: _bucket,
    givenUpParts = [],
    ...services
  } = found;
  const reasons = judgeReadiness({ ...found, isLeaving: isLeaving() });
  if (reasons.length === 0) {
    return { status: 200, body: { status: 'ready', ...services, damagedFiles, setAsideFiles } };
  }
  request.errorCode = 'unavailable';
  return {
    status: 503,
    headers: { 'Retry-After': '5' },
    body: {
      ...errorBody(new AppError('unavailable', `Not ready. ${reasons.join(' ')}`), request.id, request.homePath),
      ...services,
      givenUpParts: [...givenUpParts],
    },
  };
};

export const getOpenApiJson: Handler<'getOpenApiJson'> = async () => ({ status: 200, body: { ...spec } });

let text: string | undefined;

export const getOpenApiYaml: Handler<'getOpenApiYaml'> = async () => {
  text ??= stringify(spec, { aliasDuplicateObjects: false });
  return { status: 200, type: 'application/yaml', text };
};
