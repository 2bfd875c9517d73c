import { expect, test } from 'vitest';
import { nodeEnvironment } from '../../../src/platform/children/node-environment.ts';

test('children trust the certificates that the operator set, in any of the ways of Node', () => {
  const { env, execArgv } = nodeEnvironment({
    env: {
      NODE_EXTRA_CA_CERTS: '/etc/ssl/private-ca.pem',
      SSL_CERT_FILE: '/etc/ssl/all.pem',
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
      NODE_OPTIONS: '--use-openssl-ca  --inspect --max-old-space-size=100',
      DOCENT_OPERATOR_TOKEN: 'a secret',
      DATABASE_URL: 'a secret',
    },
    execArgv: ['--use-system-ca', '--dns-result-order=ipv4first', '--import', 'something.ts'],
  });
  expect(env).toEqual({
    NODE_EXTRA_CA_CERTS: '/etc/ssl/private-ca.pem',
    SSL_CERT_FILE: '/etc/ssl/all.pem',
    NODE_TLS_REJECT_UNAUTHORIZED: '0',
  });
  expect(execArgv).toEqual(['--use-openssl-ca', '--use-system-ca', '--dns-result-order=ipv4first']);
});

test('nothing is passed on where nothing is set', () => {
  expect(nodeEnvironment({ env: {}, execArgv: [] })).toEqual({ env: {}, execArgv: [] });
});
