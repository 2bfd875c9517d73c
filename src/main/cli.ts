import { tellFailure } from './failures.ts';
import { createProgram } from './cli/program.ts';

try {
  await createProgram().parseAsync();
} catch (err) {
  process.exitCode = tellFailure(err, process.argv.includes('--json'));
}
