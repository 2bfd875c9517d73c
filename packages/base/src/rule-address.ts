/**
 * Where a rule of the docs checks is explained.
 * @param docs where Docent's docs are, without a slash at the end
 */
export function ruleAddress(docs: string, code: string): string {
  return `${docs}/reference/check-rules#${encodeURIComponent(code)}`;
}
