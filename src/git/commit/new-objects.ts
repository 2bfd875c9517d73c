import { packObjects, readObject, writeBlob, writeCommit, writeObject, type CommitObject } from 'isomorphic-git';
import { memoryFiles } from './memory-files.ts';

/** The new objects of one push, in memory. See docs-internal/architecture.md for why git reads elsewhere. */
export class NewObjects {
  readonly #git = { fs: memoryFiles(), gitdir: '/git' };
  readonly #ids = new Set<string>();

  /** @param id the expected id: throws if isomorphic-git computes another one, so that it is never pushed */
  async addBlob(id: string, blob: Uint8Array): Promise<void> {
    this.#add(await writeBlob({ ...this.#git, blob }), id);
  }

  /** The tree's own bytes: parsing would lose odd modes and names that are not UTF-8. */
  async addTree(id: string, object: Uint8Array): Promise<void> {
    this.#add(await writeObject({ ...this.#git, type: 'tree', format: 'content', object }), id);
  }

  /**
   * The message must end in one line feed and have no carriage return, so that it is written unchanged.
   * @param sign signs the commit's bytes
   * @returns the commit's id
   */
  async addCommit(commit: CommitObject, sign?: (unsigned: Buffer) => string): Promise<string> {
    const unsigned = await writeCommit({ ...this.#git, commit });
    if (!sign) return this.#add(unsigned);
    const { object } = await readObject({ ...this.#git, oid: unsigned, format: 'content' });
    if (!(object instanceof Uint8Array)) throw new Error('isomorphic-git returned no bytes of a commit.');
    return this.#add(await writeCommit({ ...this.#git, commit: { ...commit, gpgsig: sign(Buffer.from(object)) } }));
  }

  /** A pack of all objects, without deltas. */
  async pack(): Promise<Uint8Array> {
    const { packfile } = await packObjects({ ...this.#git, oids: [...this.#ids] });
    if (!packfile) throw new Error('isomorphic-git made no pack.');
    return packfile;
  }

  #add(written: string, expected = written): string {
    if (written !== expected) throw new Error(`Object ${expected} was written as ${written}.`);
    this.#ids.add(written);
    return written;
  }
}
