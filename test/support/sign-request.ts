import { type KeyObject, sign } from 'node:crypto';
import { type AgentKey, thumbprintOf } from '@docent/access-log/agents/signatures';

/** Headers of a request that an agent signs as Web Bot Auth describes it. */
export function signedHeaders(
  { authority, path, at }: { authority: string; path: string; at: number },
  { publicKey, privateKey }: { publicKey: AgentKey; privateKey: KeyObject },
) {
  const seconds = Math.floor(at / 1_000);
  const agent = '"https://chatgpt.com"';
  const text = `("@authority" "@method" "@path" "signature-agent");created=${seconds};expires=${seconds + 60};keyid="${thumbprintOf(publicKey)}";tag="web-bot-auth"`;
  const base = [
    `"@authority": ${authority}`,
    '"@method": GET',
    `"@path": ${path}`,
    `"signature-agent": ${agent}`,
    `"@signature-params": ${text}`,
  ].join('\n');
  const signature = sign(null, Buffer.from(base), privateKey).toString('base64');
  return { Signature: `sig1=:${signature}:`, 'Signature-Input': `sig1=${text}`, 'Signature-Agent': agent };
}
