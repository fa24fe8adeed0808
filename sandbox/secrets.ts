import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { kept } from './kept.ts';

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
export function keptSecrets(folder: string): Promise<Secrets> {
  return kept(join(folder, 'secrets.json'), Secrets, () => ({
    secretKey: `sk_test_${letters(24)}`,
    publishableKey: `pk_test_${letters(24)}`,
    webhookSecret: `whsec_${letters(24)}`,
    clientId: `${letters(12)}.apps.googleusercontent.com`,
    clientSecret: `GOCSPX-${letters(14)}`,
  }));
}
