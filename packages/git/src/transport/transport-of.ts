import type { Endpoint } from '../contract.ts';
import { httpTransport } from './http.ts';
import type { GitTransport, ExchangeOptions, GitService } from './transport.ts';
import { localProblem } from './local-problem.ts';
import { startGit } from './git-process.ts';
import { watched } from './watch.ts';

/** Allowed for everyone who can read the repository's files anyway. */
const SETTINGS = ['-c', 'uploadpack.allowFilter=true', '-c', 'uploadpack.allowAnySHA1InWant=true'];

/** Uses git's own server programs, so that the repository's rules, locks and hooks hold. */
function localTransport(path: string): GitTransport {
  async function* run(
    service: GitService,
    args: readonly string[],
    request: Uint8Array,
    options: ExchangeOptions,
  ): AsyncGenerator<Uint8Array> {
    options.signal?.throwIfAborted();
    const command = [...SETTINGS, service.slice('git-'.length), '--stateless-rpc', ...args, path];
    const git = startGit(command, options.protocol ? { GIT_PROTOCOL: options.protocol } : {});
    try {
      git.child.stdin.end(request);
      yield* watched(git.child.stdout, options, git.kill);
      const code = await git.exit;
      options.signal?.throwIfAborted();
      if (code !== 0) throw await localProblem(path, git.stderr(), code);
    } finally {
      git.kill();
    }
  }

  return {
    advertise: (service, options) => run(service, ['--http-backend-info-refs'], new Uint8Array(), options),
    call: (service, request, options) => run(service, [], request, options),
  };
}

export function transportOf(endpoint: Endpoint): GitTransport {
  return endpoint.kind === 'local' ? localTransport(endpoint.path) : httpTransport(endpoint);
}
