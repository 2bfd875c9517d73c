import { quickenImports } from './quick-imports.ts';

quickenImports();
const { runCommandLine } = await import('./cli/run-command-line.ts');
process.exitCode = await runCommandLine(process.argv.slice(2));
