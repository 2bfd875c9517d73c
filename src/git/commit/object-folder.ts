import fs from 'node:fs';
import { packObjects, writeBlob, writeCommit, writeObject, type CommitObject } from 'isomorphic-git';

/** A git object that isomorphic-git names otherwise than we do: nothing of the attempt may be pushed. */
class ObjectMismatch extends Error {
  override readonly name = 'ObjectMismatch';
}

/**
 * The new objects of one attempt at a push, in a git directory of their own: isomorphic-git writes them there, names them,
 * and packs them. Reading stays ours (pack-reader.ts and the snapshots): unpacking a whole repository is where the time of
 * a turn goes, and through isomorphic-git it takes many times as long and holds the pack in memory.
 */
export class ObjectFolder {
  readonly #git: { fs: typeof fs; gitdir: string };
  readonly #ids = new Set<string>();

  /** @param gitdir a folder that nobody else knows; it is made with the first object */
  constructor(gitdir: string) {
    this.#git = { fs, gitdir };
  }

  async addBlob(id: string, blob: Uint8Array): Promise<void> {
    this.#add(await writeBlob({ ...this.#git, blob }), id);
  }

  /** The tree's bytes as they are: parsing would lose the odd modes, and names that are not UTF-8, of what is kept. */
  async addTree(id: string, object: Uint8Array): Promise<void> {
    this.#add(await writeObject({ ...this.#git, type: 'tree', format: 'content', object }), id);
  }

  /** Answers the commit's id. The message is written with line feeds alone, and one at its end. */
  async addCommit(commit: CommitObject): Promise<string> {
    return this.#add(await writeCommit({ ...this.#git, commit }));
  }

  /** A pack of all objects, without deltas. */
  async pack(): Promise<Uint8Array> {
    const { packfile } = await packObjects({ ...this.#git, oids: [...this.#ids] });
    if (!packfile) throw new Error('isomorphic-git made no pack.');
    return packfile;
  }

  remove(): void {
    fs.rmSync(this.#git.gitdir, { recursive: true, force: true });
  }

  #add(written: string, expected = written): string {
    if (written !== expected) throw new ObjectMismatch(`Object ${expected} was written as ${written}.`);
    this.#ids.add(written);
    return written;
  }
}
