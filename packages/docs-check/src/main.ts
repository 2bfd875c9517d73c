#!/usr/bin/env node
import { keepCompiledCode } from '@docent/base/compiled-code';

keepCompiledCode();
const { printFailure } = await import('@docent/base/terminal/failures');
const { checkCommand } = await import('./cli/check-command.ts');
const { VERSION } = await import('./version.ts');

const options = process.argv.slice(2);
const command = checkCommand()
  .name('docent-check')
  .version(VERSION)
  .exitOverride()
  .showHelpAfterError('Run with --help for usage.');
try {
  await command.parseAsync(options, { from: 'user' });
} catch (err) {
  process.exitCode = printFailure(err, options.includes('--json'));
}
