const HEADER = /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----/g;
const FOOTER = /^-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----/;
/** Line breaks (also escaped), quotes and indents, and headers of encrypted and PGP keys. */
const BETWEEN = /^(?:\s|\\[nrt]|["'+,>#*|]|(?:Version|Comment|Proc-Type|DEK-Info|Hash): [^\n\\]{0,200})+/;
const BASE64 = /^[A-Za-z0-9+/=]+/;
/** How ASN.1 (PKCS #1, PKCS #8, SEC 1), OpenSSH and OpenPGP begin, in base64. */
const BEGINS = /^(?:M[A-P]|b3BlbnNzaC1rZXk|l[A-Z]|x)/;
const MIN_MATERIAL = 40;
const MAX_LENGTH = 20_000;

/**
 * Private keys in PEM and OpenPGP armour with at least 30 bytes of key, also truncated. Documentation shows
 * less.
 */
export function* privateKeys(text: string): Generator<{ start: number; end: number }> {
  for (const { index, 0: header } of text.matchAll(HEADER)) {
    const body = text.slice(index + header.length, index + header.length + MAX_LENGTH);
    const { material, length } = materialOf(body);
    if (material.length < MIN_MATERIAL || !BEGINS.test(material) || new Set(material).size < 20) continue;
    yield { start: index, end: index + header.length + length };
  }
}

function materialOf(body: string): { material: string; length: number } {
  let [material, at] = ['', 0];
  for (;;) {
    const rest = body.slice(at);
    const between = BETWEEN.exec(rest)?.[0].length ?? 0;
    const after = rest.slice(between);
    const footer = FOOTER.exec(after);
    if (footer) return { material, length: at + between + footer[0].length };
    const run = BASE64.exec(after)?.[0] ?? '';
    // A key that was shortened with dots is none.
    if (/^(?:\.{2,}|…)/.test(after.slice(run.length))) return { material: '', length: 0 };
    if (run === '') return { material, length: at };
    material += run;
    at += between + run.length;
  }
}
