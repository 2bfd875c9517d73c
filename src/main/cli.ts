import { keepCompiledCode } from '../platform/processes/compiled-code.ts';

keepCompiledCode();
const { runCommandLine } = await import('./cli/run-command-line.ts');
process.exitCode = await runCommandLine(process.argv.slice(2));
