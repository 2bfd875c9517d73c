/** With `--import`: for processes whose program is not the command line, which does the same for itself. */
import { quickenImports } from '../../src/main/quick-imports.ts';

quickenImports();
