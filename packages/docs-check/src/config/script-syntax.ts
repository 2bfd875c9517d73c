import type { Node } from 'acorn';

/** A node of a program's syntax, with whatever properties its type has. */
export type Ast = Node & Record<string, unknown>;

/** A program file: its top-level declarations, and its imports. */
export interface Module {
  path: string;
  body: Ast[];
  declared: Map<string, Ast>;
  imported: Map<string, { from: string; name: string }>;
}

export function declarations(body: readonly Ast[]): Pick<Module, 'declared' | 'imported'> {
  const declared = new Map<string, Ast>();
  const imported = new Map<string, { from: string; name: string }>();
  for (const statement of body) {
    if (statement.type === 'ImportDeclaration') {
      const from = String((statement['source'] as Ast)['value']);
      for (const specifier of statement['specifiers'] as Ast[]) {
        const name = specifier.type === 'ImportSpecifier' ? nodeName(specifier['imported']) : 'default';
        imported.set(nodeName(specifier['local']), { from, name });
      }
      continue;
    }
    const node = ((statement.type === 'ExportNamedDeclaration' && statement['declaration']) || statement) as Ast;
    if (node.type === 'FunctionDeclaration') declared.set(nodeName(node['id']), node);
    if (node.type !== 'VariableDeclaration') continue;
    for (const { id, init } of node['declarations'] as { id: Ast; init: Ast | null }[]) {
      if (init && id.type === 'Identifier') declared.set(nodeName(id), init);
    }
  }
  return { declared, imported };
}

export function isModuleExports(node: Ast): boolean {
  if (node.type !== 'MemberExpression') return false;
  return nodeName(node['object']) === 'module' && nodeName(node['property']) === 'exports';
}

export function isRequireResolve(callee: Ast): boolean {
  return nodeName(callee['object']) === 'require';
}

export function isFunction({ type }: Ast): boolean {
  return type === 'FunctionDeclaration' || type === 'FunctionExpression' || type === 'ArrowFunctionExpression';
}

export function nodeName(node: unknown): string {
  const { name, value } = (node ?? {}) as { name?: string; value?: unknown };
  return name ?? String(value ?? '');
}

export function keyName(key: Ast): string | null {
  if (key.type === 'Identifier') return nodeName(key);
  return key.type === 'Literal' ? String(key['value']) : null;
}
