import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

export async function sha256Of(file: string): Promise<Buffer> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 })) hash.update(chunk as Buffer);
  return hash.digest();
}
