import type { RoleProcess } from './role-process.ts';

/** Shorter words may be in a log by chance. */
const SHORTEST = 20;
const MOST = 2_000;

/** What no log of a role may hold, whatever goes wrong: secrets, prompts, and what pages say. */
export class ForbiddenTexts {
  readonly #words = new Set<string>();

  /** Each line of the texts separately, and as it looks inside JSON. */
  add(...texts: string[]): void {
    for (const line of texts.flatMap((text) => text.split('\n'))) {
      const word = line.trim();
      if (word.length < SHORTEST || this.#words.size >= MOST) continue;
      this.#words.add(word);
      this.#words.add(JSON.stringify(word).slice(1, -1));
    }
  }

  /** Every variable that holds a secret, by its name. */
  addSecretsOf(env: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(env)) if (/(?:TOKEN|KEY|SECRET|PASSWORD)$/.test(name)) this.add(value);
  }

  /** The first of them that a text holds. */
  foundIn(text: string): string | undefined {
    return [...this.#words].find((word) => text.includes(word));
  }

  /** @throws Error that names the word and the line */
  mustNotBeIn(roles: readonly RoleProcess[]): void {
    for (const role of roles) {
      const output = role.output();
      const found = this.foundIn(output);
      if (found === undefined) continue;
      const line = output.split('\n').find((text) => text.includes(found));
      throw new Error(`A log holds what none may: ${JSON.stringify(found)}\n${line}`);
    }
  }
}
