import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import * as z from 'zod/mini';
import { ipPrefixes } from '#contract/addresses.ts';

/**
 * The header in which a browser presents its device token: a random text that it made at its first visit, keeps when
 * its person signs out, and shows to nobody else.
 */
export const DEVICE_HEADER = 'device-token';

const DeviceToken = z.string().check(z.regex(/^[A-Za-z0-9_-]{32,64}$/));

const Hashes = z.array(z.object({ hash: z.instanceof(Buffer) }));

/** Where a request comes from. Hashed, so that the database holds neither device tokens nor addresses. */
export interface Client {
  /** Null for a client that presents no device token. */
  readonly device: Buffer | null;
  /** Of the smallest range that the request's address is counted by. */
  readonly network: Buffer;
}

/** A client as one account knows it: attempts are counted for each apart. */
export interface RecognizedClient {
  readonly kind: 'device' | 'network' | 'unknown';
  /** Of the device or the network; empty for all unknown clients together. */
  readonly hash: Buffer;
}

const unknownClient: RecognizedClient = { kind: 'unknown', hash: Buffer.alloc(0) };

const hashOf = (what: string, value: string) => createHash('sha256').update(`${what} ${value}`).digest();

/** The client that has sent a request. */
export function clientOf(request: FastifyRequest): Client {
  const token = z.safeParse(DeviceToken, request.headers[DEVICE_HEADER]);
  const [{ prefix }] = ipPrefixes(request.ip);
  return { device: token.success ? hashOf('device', token.data) : null, network: hashOf('network', prefix) };
}

/** After so long without a sign-in a client is unknown again. */
const KNOWN_FOR = '1 year';

/** How many clients an account knows at most: a phone that travels adds one for each network. */
const MAXIMUM_KNOWN = 50;

/** The devices and networks from which accounts were signed in to. */
export type ClientStore = ReturnType<typeof createClientStore>;

/** @param pool connections whose search_path is the schema `identity` */
export function createClientStore(pool: Pool) {
  return {
    /**
     * How an account knows a client: by its device, else by its network, else not at all.
     * @param account by id, or by an e-mail address in lower case, whether or not somebody has it
     */
    async recognize(
      account: { id: string } | { email: string },
      { device, network }: Client,
    ): Promise<RecognizedClient> {
      const { rows } = await pool.query(
        `select hash from known_client join "user" on "user".id = user_id
          where ${'id' in account ? '"user".id' : 'email'} = $1 and hash = any ($2::bytea[])
            and seen_at > now() - interval '${KNOWN_FOR}'`,
        ['id' in account ? account.id : account.email, device === null ? [network] : [device, network]],
      );
      const known = Hashes.parse(rows);
      const isKnown = (hash: Buffer) => known.some((row) => row.hash.equals(hash));
      if (device !== null && isKnown(device)) return { kind: 'device', hash: device };
      return isKnown(network) ? { kind: 'network', hash: network } : unknownClient;
    },

    /** Makes a client known to an account: its person has signed in from there or proven the mailbox. */
    async remember(userId: string, { device, network }: Client): Promise<void> {
      await pool.query(
        `with seen as (
           insert into known_client (user_id, hash) select $1, unnest($2::bytea[])
           on conflict (user_id, hash) do update set seen_at = now())
         delete from known_client where user_id = $1 and hash in (
           select hash from known_client where user_id = $1 order by seen_at desc offset ${MAXIMUM_KNOWN})`,
        [userId, device === null ? [network] : [device, network]],
      );
    },

    /** Notes the device on which an account was registered. */
    async noteRegistration(email: string, { device }: Client): Promise<void> {
      if (device === null) return;
      await pool.query(
        `insert into registration (user_id, device_hash) select id, $2 from "user" where email = $1
         on conflict do nothing`,
        [email, device],
      );
    },

    /** Whether an account was registered with a password on the device of this client. */
    async hasRegistered(userId: string, { device }: Client): Promise<boolean> {
      const { rowCount } = await pool.query(
        'select from registration where user_id = $1 and device_hash = $2',
        [userId, device],
      );
      return rowCount === 1;
    },
  };
}
