/** A sentence in which `…` is code. */
export function Code({ text }: { text: string }) {
  return <>{text.split(/`([^`]+)`/).map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : part))}</>;
}

/** The same, with words of a repository or a server in it that do not turn the text around them about. */
export function Sentence({ text }: { text: string }) {
  return (
    <bdi>
      <Code text={text} />
    </bdi>
  );
}
