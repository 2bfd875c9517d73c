import { keepCompiledCode } from '@docent/base/compiled-code';
import { poolThreads } from '../platform/processes/pool-sizes.ts';

keepCompiledCode();
// libuv reads this when it first works on a file: so before other code is loaded.
process.env.UV_THREADPOOL_SIZE ??= String(poolThreads());
const { runCommandLine } = await import('./run-command-line.ts');
process.exitCode = await runCommandLine(process.argv.slice(2));
