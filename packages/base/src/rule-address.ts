/**
 * The address of a docs check rule's explanation.
 * @param docs the URL of Docent's docs, without a trailing slash
 */
export function ruleAddress(docs: string, code: string): string {
  return `${docs}/reference/check-rules#${encodeURIComponent(code)}`;
}
