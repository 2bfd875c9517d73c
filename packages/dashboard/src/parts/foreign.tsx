/**
 * Words of a repository, a model, a reader: shown as they are, without turning the text around them about.
 */
export function Foreign({ text }: { text: string }) {
  return <bdi>{text}</bdi>;
}
