import { RepositoryProblem } from '../repository-problem.ts';
import { lineOf, type Packet } from './pkt-line.ts';

/** A server's first answer. In protocol 2 it only names its capabilities; before that, its refs too. */
export interface Advertisement {
  version: 1 | 2;
  capabilities: string[];
  /** Full names and ids. */
  refs: Map<string, string>;
}

/** A server lists a ref in about 60 bytes; more than this many are not read. */
const MAX_LINES = 1_000_000;

/** Reads an advertisement to its end. Errors: RepositoryProblem. */
export async function readAdvertisement(packets: AsyncIterable<Packet>): Promise<Advertisement> {
  const refs = new Map<string, string>();
  let capabilities: string[] | null = null;
  let version: 1 | 2 = 1;
  let lines = 0;
  for await (const packet of packets) {
    if (packet.type !== 'data') {
      // Older versions of git send nothing else for a repository without refs.
      if (lines === 0) capabilities = [];
      continue;
    }
    if (++lines > MAX_LINES)
      throw new RepositoryProblem('repository_unsupported', `The repository has more than ${MAX_LINES} refs.`);
    const line = lineOf(packet.data);
    if (lines === 1 && line === 'version 1') continue;
    if (lines === 1 && line === 'version 2') {
      version = 2;
      capabilities = [];
    } else if (version === 2) {
      capabilities?.push(line);
    } else {
      const [ref = '', list] = line.split('\0');
      capabilities ??= list?.trim().split(' ') ?? [];
      addRef(refs, ref);
    }
  }
  if (capabilities === null) {
    throw new RepositoryProblem('unreachable', "The repository's server did not say what it has.");
  }
  if (capabilities.some((name) => name.startsWith('object-format=') && name !== 'object-format=sha1'))
    throw otherHash();
  return { version, capabilities, refs };
}

/** `<id> <name>`. Other lines (`capabilities^{}`, `shallow …`, control characters) name no ref. */
export function addRef(refs: Map<string, string>, line: string): void {
  const [, id, name] = /^([0-9a-f]{40}) (refs\/[^\s\p{Cc}]+|HEAD)(?:\s|$)/u.exec(line) ?? [];
  if (id && name && !name.endsWith('^{}')) refs.set(name, id);
}

export function otherHash(): RepositoryProblem {
  return new RepositoryProblem(
    'repository_unsupported',
    'The repository uses SHA-256 object ids. Docent supports only SHA-1 repositories, the default of git.',
  );
}
