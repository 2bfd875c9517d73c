import type { UsedComponent } from './page-facts.ts';

const MAX_COMPONENTS = 200;

interface Pattern {
  type: string;
  [field: string]: unknown;
}

/** The components of an MDX page without an import or export: the site must provide them. */
export class UsedComponents {
  readonly #used = new Map<string, UsedComponent>();
  readonly #declared = new Set<string>();

  /** @param name as in the tag; for members, such as `Tabs.Item`, the first name counts */
  use(name: string | null, place: { line: number; column: number }): void {
    const own = name?.split('.')[0] ?? '';
    const isComponent = /^[A-Z_$]/.test(own) && !name!.includes(':');
    if (isComponent && !this.#used.has(own) && this.#used.size < MAX_COMPONENTS)
      this.#used.set(own, { name: own, ...place });
  }

  /** Statements of imports and exports, as estree has them. */
  declare(statements: readonly unknown[]): void {
    for (const statement of statements as Pattern[]) {
      for (const { local } of (statement['specifiers'] ?? []) as { local?: Pattern }[]) this.#bind(local);
      const declaration = statement['declaration'] as Pattern | null | undefined;
      this.#bind(declaration?.['id'] as Pattern | undefined);
      for (const { id } of (declaration?.['declarations'] ?? []) as { id: Pattern }[]) this.#bind(id);
    }
  }

  /** In the order of the page. */
  undeclared(): UsedComponent[] {
    return [...this.#used.values()].filter(({ name }) => !this.#declared.has(name));
  }

  /** A name, or what `const { A, b: [B = 1], ...C } = …` names. */
  #bind(pattern: Pattern | null | undefined, depth = 0): void {
    if (!pattern || depth > 20) return;
    if (typeof pattern['name'] === 'string') this.#declared.add(pattern['name']);
    const inner = [pattern['left'], pattern['argument'], pattern['value']] as Pattern[];
    const lists = [pattern['properties'], pattern['elements']] as (Pattern[] | undefined)[];
    for (const one of [...inner, ...lists.flatMap((list) => list ?? [])]) {
      if (typeof one === 'object') this.#bind(one, depth + 1);
    }
  }
}
