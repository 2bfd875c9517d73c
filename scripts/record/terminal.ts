/**
 * Records a job in the terminal: `npm run record-terminal`. Starts Docent in a temporary folder with a sample
 * site, runs `docent job run`, and writes its output, line by line as it came, to
 * `docs/images/terminal-job.svg`. Takes about a minute.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createDocentClient } from '@docent/client';
import { startSample } from './sample-docent.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const FILE = path.join(ROOT, 'docs/images/terminal-job.svg');
/** The reader's address instead of the recording's. */
const USUAL_URL = 'http://127.0.0.1:4000';
const PROJECT = 'acme-docs';
const COMMANDS = [
  ['job', 'run', 'Rename guides/install to guides/installation'],
  ['pr', 'list'],
];
/** Between two lines, in the picture: the machine that records may be slow. */
const LONGEST_PAUSE_MS = 1_200;
const TYPING_MS = 900;
const COLUMNS = 110;
const LINE_PX = 20;

interface Line {
  atMs: number;
  text: string;
  isCommand: boolean;
}

const docent = await startSample();
try {
  const client = createDocentClient({ baseUrl: docent.apiUrl, apiKey: docent.token });
  const made = await client.POST('/v1/projects', { body: { id: PROJECT, repository: docent.repository } });
  if (!made.data) throw new Error(`The project could not be created: ${JSON.stringify(made.error)}`);
  const lines: Line[] = [];
  for (const command of COMMANDS) await record(command, lines);
  await writeFile(FILE, drawn(lines));
} finally {
  await docent.stop();
}

async function record(command: readonly string[], lines: Line[]): Promise<void> {
  const startMs = (lines.at(-1)?.atMs ?? 0) + TYPING_MS;
  const shown = command.map((word) => (/^[\w-]+$/.test(word) ? word : `'${word}'`)).join(' ');
  lines.push({ atMs: startMs, text: `docent ${shown}`, isCommand: true });
  const args = [path.join(ROOT, 'src/cli/main.ts'), ...command, '--project', PROJECT];
  const env = { ...process.env, DOCENT_URL: docent.apiUrl, DOCENT_API_KEY: docent.token, NO_COLOR: '1' };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let [lastMs, rest] = [performance.now(), ''];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const pauseMs = Math.min(LONGEST_PAUSE_MS, performance.now() - lastMs);
    lastMs = performance.now();
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    const atMs = (lines.at(-1)?.atMs ?? 0) + pauseMs;
    lines.push(...parts.map((text) => ({ atMs, text: text.replaceAll(docent.apiUrl, USUAL_URL), isCommand: false })));
  });
  await once(child, 'close');
  if (child.exitCode !== 0) throw new Error(`docent ${command.join(' ')} ended with ${child.exitCode}.`);
}

/** Without motion if the reader's system asks for that. */
function drawn(lines: readonly Line[]): string {
  const [width, height] = [COLUMNS * 8.5 + 32, lines.length * LINE_PX + 56];
  const texts = lines.map(({ atMs, text, isCommand }, i) => {
    const prompt = isCommand ? '<tspan class="prompt">$ </tspan>' : '';
    const at = `x="16" y="${52 + i * LINE_PX}" style="animation-delay:${(atMs / 1_000).toFixed(2)}s"`;
    return `<text ${at}${isCommand ? ' class="command"' : ''}>${prompt}${escaped(text.slice(0, COLUMNS))}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="A job in the terminal">
<style>
text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #d7dae0; white-space: pre; }
.command { fill: #fff; font-weight: 600; }
.prompt { fill: #7bd88f; }
@media (prefers-reduced-motion: no-preference) {
  text { opacity: 0; animation: show 1ms linear forwards; }
  @keyframes show { to { opacity: 1; } }
}
</style>
<rect width="100%" height="100%" rx="10" fill="#1b1f27"/>
<circle cx="22" cy="20" r="6" fill="#ff5f57"/><circle cx="42" cy="20" r="6" fill="#febc2e"/><circle cx="62" cy="20" r="6" fill="#28c840"/>
${texts.join('\n')}
</svg>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
