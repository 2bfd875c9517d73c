/**
 * A workflow's history as a text in which words can be looked for: with what went in and came out of it as it
 * was. As JSON alone, a history has that in base64.
 */
export function historyText(history: unknown): string {
  return JSON.stringify(history).replace(/"data":"([A-Za-z0-9+/=]*)"/g, (_whole, data: string) => {
    return `"data":${Buffer.from(data, 'base64').toString('utf8')}`;
  });
}
