import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { readOrCreate } from './private-files.ts';

const Secrets = z.object({
  secretKey: z.string(),
  publishableKey: z.string(),
  webhookSecret: z.string(),
  clientId: z.string(),
  clientSecret: z.string(),
});

const randomHex = (bytes: number) => randomBytes(bytes).toString('hex');

/**
 * Reads the keys of the stand-ins, and generates them at the first start. Only their owner may read the file.
 * @throws if the folder cannot be used or the file is damaged
 */
export function readSecrets(folder: string): Promise<z.infer<typeof Secrets>> {
  return readOrCreate(join(folder, 'secrets.json'), Secrets, () => ({
    secretKey: `sk_test_${randomHex(24)}`,
    publishableKey: `pk_test_${randomHex(24)}`,
    webhookSecret: `whsec_${randomHex(24)}`,
    clientId: `${randomHex(12)}.apps.googleusercontent.com`,
    clientSecret: `GOCSPX-${randomHex(14)}`,
  }));
}
