import type { UsedComponent } from './page-facts.ts';

const MAX_COMPONENTS = 200;

interface Pattern {
  type: string;
  [field: string]: unknown;
}

/**
 * Which components a page of MDX uses without importing or exporting them: something of the site has to
 * provide those.
 */
export class UsedComponents {
  readonly #used = new Map<string, UsedComponent>();
  readonly #declared = new Set<string>();

  /** @param name as the tag has it; members, such as `Tabs.Item`, stand for the first name */
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
