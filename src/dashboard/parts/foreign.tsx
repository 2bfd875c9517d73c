/** Words of a repository, a model, a reader: shown as they are, without turning the text around them about. */
export function Foreign({ text }: { text: string }) {
  return <bdi>{text}</bdi>;
}

/** An address from somewhere else: only where it leads to the web. */
export function safeUrl(address: string | null | undefined): string | undefined {
  if (!address) return undefined;
  try {
    const { protocol, href } = new URL(address, document.baseURI);
    return protocol === 'https:' || protocol === 'http:' ? href : undefined;
  } catch {
    // No address at all.
    return undefined;
  }
}
