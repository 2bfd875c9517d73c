import { keepCompiledCode } from '@docent/base/compiled-code';

keepCompiledCode();
const { runCommandLine } = await import('./run-command-line.ts');
process.exitCode = await runCommandLine(process.argv.slice(2));
