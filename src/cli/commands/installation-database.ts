import type { Config } from '../../config/config.ts';
import { readRunFile } from '../../start/home.ts';
import { CliFailure, EXIT } from '@docent/base/terminal/failures';

/** An installation's database on this machine. @throws CliFailure with a sentence that says what to do */
export function databaseUrlOf(config: Config, home: string): string {
  const url = config.databaseUrl?.reveal() ?? readRunFile(home)?.databaseUrl;
  if (url) return url;
  throw new CliFailure(
    `Docent is not running in ${home}. Start it with \`docent start\`, or set DATABASE_URL.`,
    EXIT.unreachable,
  );
}
