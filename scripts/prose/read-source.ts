import ts from 'typescript';
import type { Paragraph } from './read-prose.ts';

/** Errors whose message a user reads. */
const ERRORS = /^(?:AppError|CliFailure|Expected|FilesDamaged|Refused|jobFailure)$/;
const LOGGED = new Set(['info', 'warn', 'error', 'fatal']);
/** Calls and fields that take a text for users: commander's help, docs checks, findings. */
const CALLS = new Set(['description', 'option', 'requiredOption', 'argument', 'addHelpText', 'Option', 'tableOr']);
const FIELDS = new Set(['message', 'help', 'helpNo', 'summary', 'what', 'todo']);

/**
 * The texts of a source file that users read: help and errors of commands, errors of jobs and the API, logs,
 * findings.
 */
export function readSource(file: string, source: string): Paragraph[] {
  const parsed = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const paragraphs: Paragraph[] = [];
  const add = (node: ts.Expression) => {
    const text = textOf(node);
    if (text === null) return;
    const { line } = parsed.getLineAndCharacterOfPosition(node.getStart());
    // Each line of a help text is its own text: options and examples have no full stops.
    for (const [i, part] of text.split('\n').entries())
      if (/[a-z] [a-z]/i.test(part)) paragraphs.push({ line: line + 1 + i, text: part.trim() });
  };
  const visit = (node: ts.Node): void => {
    if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && isForUsers(node)) node.arguments?.forEach(add);
    if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name) && FIELDS.has(node.name.text))
      add(node.initializer);
    ts.forEachChild(node, visit);
  };
  visit(parsed);
  return paragraphs;
}

function isForUsers(node: ts.NewExpression | ts.CallExpression): boolean {
  const { expression } = node;
  if (ts.isIdentifier(expression)) return ERRORS.test(expression.text) || CALLS.has(expression.text);
  if (!ts.isPropertyAccessExpression(expression)) return false;
  const name = expression.name.text;
  return CALLS.has(name) || (LOGGED.has(name) && /\blog(?:ger)?$/i.test(expression.expression.getText()));
}

/** Inserted values become one word; null if it is not text. */
function textOf(node: ts.Node): string | null {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isParenthesizedExpression(node)) return textOf(node.expression);
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map(({ literal }) => `X${literal.text}`).join('');
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return null;
  const [left, right] = [textOf(node.left), textOf(node.right)];
  return left === null || right === null ? null : left + right;
}
