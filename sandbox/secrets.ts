import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';

const Secrets = z.object({
  secretKey: z.string(),
  publishableKey: z.string(),
  webhookSecret: z.string(),
  clientId: z.string(),
  clientSecret: z.string(),
});
export type Secrets = z.infer<typeof Secrets>;

const letters = (bytes: number) => randomBytes(bytes).toString('hex');

/**
 * The stand-ins' keys: made at the first start, the same ever after, readable by their owner only.
 * @throws when the folder cannot be used or what is kept there was damaged
 */
export async function keptSecrets(folder: string): Promise<Secrets> {
  const path = join(folder, 'secrets.json');
  const kept = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (kept !== null) return Secrets.parse(JSON.parse(kept));
  const secrets: Secrets = {
    secretKey: `sk_test_${letters(24)}`,
    publishableKey: `pk_test_${letters(24)}`,
    webhookSecret: `whsec_${letters(24)}`,
    clientId: `${letters(12)}.apps.googleusercontent.com`,
    clientSecret: `GOCSPX-${letters(14)}`,
  };
  await mkdir(folder, { recursive: true });
  await writeFile(`${path}.new`, JSON.stringify(secrets), { mode: 0o600 });
  await rename(`${path}.new`, path);
  return secrets;
}
