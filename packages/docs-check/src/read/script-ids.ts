/** The most nodes of one expression that are visited. */
const MAX_NODES = 20_000;

/**
 * Ids of elements in JavaScript, as in `{isNew && <div id="x" />}`.
 * @param program an ESTree
 * @returns `isOpen` if one is computed, or if there are too many nodes
 */
export function idsInScript(program: unknown): { ids: string[]; isOpen: boolean } {
  const ids: string[] = [];
  let isOpen = false;
  const waiting: unknown[] = [program];
  for (let i = 0; waiting.length > 0; i++) {
    if (i > MAX_NODES) return { ids, isOpen: true };
    const node = waiting.pop();
    if (typeof node !== 'object' || node === null) continue;
    if (Array.isArray(node)) {
      waiting.push(...node.slice(0, MAX_NODES));
      continue;
    }
    const { type, name, value } = node as { type?: string; name?: { name?: unknown }; value?: { value?: unknown } };
    if (type === 'JSXAttribute' && name?.name === 'id') {
      const literal = literalOf(value);
      if (literal === undefined) isOpen = true;
      else ids.push(literal);
    }
    for (const [key, part] of Object.entries(node)) if (key !== 'loc' && key !== 'range') waiting.push(part);
  }
  return { ids, isOpen };
}

/** Of `id="x"` and `id={'x'}`. */
function literalOf(value: unknown): string | undefined {
  const { type, expression, value: text } = (value ?? {}) as { type?: string; expression?: unknown; value?: unknown };
  if (type === 'JSXExpressionContainer') return literalOf(expression);
  return type === 'Literal' && typeof text === 'string' ? text : undefined;
}
