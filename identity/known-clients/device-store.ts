import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import * as z from 'zod/mini';

const Recognition = z.array(z.object({ isNew: z.boolean() }));

/**
 * Creates the store of the devices that accounts were signed in on, for the notice about a sign-in from an unknown
 * device.
 * @param pool connections whose search_path is the schema `identity`
 */
export function createDeviceStore(pool: Pool) {
  return {
    /**
     * Records the device of a sign-in.
     * @param userAgent the header; versions in it are ignored, because updates change them
     * @returns whether the account knows other devices of the last year, but not this one
     */
    async recordDevice(userId: string, userAgent: string): Promise<boolean> {
      const withoutVersions = userAgent.replace(/[\d._]+/g, '');
      const { rows } = await pool.query(
        `with old as (delete from known_device where user_id = $1 and hash <> $2 and seen_at < now() - interval '1 year'),
              known as (select hash from known_device where user_id = $1 and seen_at >= now() - interval '1 year'),
              seen as (insert into known_device (user_id, hash) values ($1, $2)
                       on conflict (user_id, hash) do update set seen_at = now())
         select exists (select from known) and not exists (select from known where hash = $2) as "isNew"`,
        [userId, createHash('sha256').update(withoutVersions).digest()],
      );
      return Recognition.parse(rows)[0]?.isNew ?? false;
    },
  };
}
