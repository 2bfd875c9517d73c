/** The operator's variables that Node and its TLS library read, such as certificates. Not secret. */
const VARIABLES = [
  'NODE_EXTRA_CA_CERTS',
  'NODE_TLS_REJECT_UNAUTHORIZED',
  'NODE_USE_SYSTEM_CA',
  'NODE_NO_WARNINGS',
  'NODE_PENDING_DEPRECATION',
  'OPENSSL_CONF',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'TZ',
  // Children use this process's compile cache, because they load the same modules.
  'NODE_COMPILE_CACHE',
];
/** Node's flags about certificates, TLS and name resolution; not others, such as `--inspect`. */
const FLAG =
  /^--(?:use-(?:openssl|bundled|system)-ca|tls-|openssl-|(?:enable|force)-fips|dns-result-order|(?:no-)?network-family|secure-heap)/;

/** The parts of Node's environment that child processes need to reach the same servers. */
export function nodeEnvironment(
  // oxlint-disable-next-line node/no-process-env -- Node's settings, not ours
  { env, execArgv }: { env: NodeJS.ProcessEnv; execArgv: readonly string[] } = process,
): { env: Record<string, string>; execArgv: string[] } {
  const set = VARIABLES.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]));
  const flags = [...(env.NODE_OPTIONS?.split(/\s+/) ?? []), ...execArgv].filter((flag) => FLAG.test(flag));
  return { env: Object.fromEntries(set) as Record<string, string>, execArgv: flags };
}
