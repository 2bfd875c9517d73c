/** A part that fails whenever it is started. */
export interface GivenUpPart {
  /** `postgres`, `temporal`, `worker` or `api` */
  name: string;
  /** The last failure, without secrets. */
  reason: string;
}

/** The parts that Docent cannot keep running, for reports. */
export class GivenUpParts {
  readonly #parts = new Map<string, GivenUpPart>();
  readonly #listeners = new Set<() => void>();

  get all(): readonly GivenUpPart[] {
    return [...this.#parts.values()];
  }

  add(part: GivenUpPart): void {
    this.#parts.set(part.name, part);
    for (const listener of this.#listeners) listener();
  }

  /** @returns whether it was listed */
  remove(name: string): boolean {
    const was = this.#parts.delete(name);
    if (was) for (const listener of this.#listeners) listener();
    return was;
  }

  /** @returns ends the listening */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
