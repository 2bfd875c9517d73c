/**
 * A covered part of a request: a derived one such as `@path`, or a header, or one `key` of its dictionary.
 */
export interface Component {
  readonly name: string;
  readonly key: string | null;
}

/** One signature of a request, as `Signature-Input` describes it. */
export interface SignatureInput {
  readonly label: string;
  readonly components: readonly Component[];
  readonly parameters: ReadonlyMap<string, string | number>;
  /** As it was signed. */
  readonly text: string;
}

const KEY = String.raw`[a-z*][a-z0-9_.*-]*`;
const VALUE = String.raw`"(?:[^"\\]|\\["\\])*"|[^\s;,"()]+`;
const PARAMETERS = `(?:;${KEY}(?:=(?:${VALUE}))?)*`;
const ITEM = String.raw`"[^"\\]*"${PARAMETERS}`;
/**
 * A member of a dictionary (RFC 8941) that is an inner list, a string, or bytes; each in its canonical
 * spelling.
 */
const LIST = new RegExp(String.raw`\s*(${KEY})=(\(((?:${ITEM}(?: ${ITEM})*)?)\)(${PARAMETERS}))\s*(?:,|$)`, 'y');
const TEXT = new RegExp(String.raw`\s*(${KEY})=("[^"\\]*"${PARAMETERS})\s*(?:,|$)`, 'y');
const BYTES = new RegExp(String.raw`\s*(${KEY})=:([A-Za-z0-9+/]*={0,2}):\s*(?:,|$)`, 'y');
const COMPONENT = new RegExp(String.raw`^"([^"\\]*)"(?:;key="(${KEY})")?$`);

/** The members of a dictionary; null if one has another form, or a name occurs twice. */
function membersOf(form: RegExp, text: string): Map<string, RegExpExecArray> | null {
  const members = new Map<string, RegExpExecArray>();
  form.lastIndex = 0;
  while (form.lastIndex < text.length) {
    const member = form.exec(text);
    if (member === null || members.has(member[1]!)) return null;
    members.set(member[1]!, member);
  }
  return members;
}

/**
 * The signatures of a request with this tag, by the header `Signature-Input`. Empty for a malformed header.
 */
export function signatureInputs(header: string, tag: string): SignatureInput[] {
  return [...(membersOf(LIST, header)?.values() ?? [])].flatMap(([, label, text, items, parameters]) => {
    const read = parametersOf(parameters!);
    const components = componentsOf(items!);
    return read.get('tag') === tag && components ? [{ label: label!, components, parameters: read, text: text! }] : [];
  });
}

/** Null for a part with other parameters than `key`, or one that is named twice. */
function componentsOf(items: string): Component[] | null {
  const texts = items.match(new RegExp(ITEM, 'g')) ?? [];
  const components = texts.flatMap((text) => {
    const [, name, key = null] = COMPONENT.exec(text) ?? [];
    return name === undefined ? [] : [{ name, key }];
  });
  return components.length === texts.length && new Set(texts).size === texts.length ? components : null;
}

function parametersOf(text: string): Map<string, string | number> {
  const found = text.matchAll(new RegExp(`;(${KEY})(?:=(${VALUE}))?`, 'g'));
  return new Map(
    [...found].map(([, name, value = '?1']) => [
      name!,
      value.startsWith('"')
        ? value.slice(1, -1).replaceAll(/\\(.)/g, '$1')
        : /^\d{1,15}$/.test(value)
          ? Number(value)
          : value,
    ]),
  );
}

/** The bytes of a signature, by the header `Signature`; null if it has none with this label. */
export function signatureBytes(header: string, label: string): Buffer | null {
  const bytes = membersOf(BYTES, header)?.get(label)?.[2];
  return bytes === undefined ? null : Buffer.from(bytes, 'base64');
}

/** A string in a header that is a dictionary, with its parameters; null for none. */
export const textMember = (header: string, key: string): string | null =>
  membersOf(TEXT, header)?.get(key)?.[2] ?? null;

/**
 * What was signed (RFC 9421, section 2.5); null if a part is not known.
 * @param valueOf of a covered part
 */
export function signatureBase(
  { components, text }: SignatureInput,
  valueOf: (component: Component) => string | null,
): string | null {
  const lines: string[] = [];
  for (const component of components) {
    const value = valueOf(component);
    if (value === null) return null;
    const { name, key } = component;
    lines.push(`"${name}"${key === null ? '' : `;key="${key}"`}: ${value}`);
  }
  return [...lines, `"@signature-params": ${text}`].join('\n');
}
