import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import * as z from 'zod/mini';
import { ipPrefixes } from '#contract/platform/ip-prefixes.ts';

/**
 * The header with a browser's device token: a random string that the browser creates at the first visit, keeps after
 * sign-out, and sends only to this provider.
 */
export const DEVICE_HEADER = 'device-token';

const DeviceToken = z.string().check(z.regex(/^[A-Za-z0-9_-]{32,64}$/));

const Hashes = z.array(z.object({ hash: z.instanceof(Buffer) }));
const Recognition = z.array(z.object({ isNew: z.boolean() }));

/** The source of a request. Hashed, so that the database contains neither device tokens nor IP addresses. */
export interface Client {
  /** Null for a client without a device token. */
  readonly device: Buffer | null;
  /** Hash of the longest prefix that `ipPrefixes` returns for the request's address. */
  readonly network: Buffer;
}

/** A client as one account knows it. Attempts are counted for each client separately. */
export interface RecognizedClient {
  readonly kind: 'device' | 'network' | 'unknown';
  /** Hash of the device or the network; empty for all unknown clients together. */
  readonly hash: Buffer;
}

const unknownClient: RecognizedClient = { kind: 'unknown', hash: Buffer.alloc(0) };

const hashValue = (kind: string, value: string) => createHash('sha256').update(`${kind} ${value}`).digest();

/** Identifies the client of a request by its device token and IP address. */
export function identifyClient(request: FastifyRequest): Client {
  const token = z.safeParse(DeviceToken, request.headers[DEVICE_HEADER]);
  const [{ prefix }] = ipPrefixes(request.ip);
  return {
    device: token.success ? hashValue('device', token.data) : null,
    network: hashValue('network', prefix),
  };
}

/** A client without a sign-in for this long is unknown again. */
const KNOWN_FOR = '1 year';

/** Maximum number of clients, and of devices, that an account knows. A travelling phone adds a client for each network. */
const MAXIMUM_KNOWN = 50;

/** The devices and networks from which accounts were signed in to. */
export type KnownClientStore = ReturnType<typeof createKnownClientStore>;

/** @param pool connections whose search_path is the schema `identity` */
export function createKnownClientStore(pool: Pool) {
  return {
    /**
     * Looks up how an account knows a client: by its device, else by its network, else not at all.
     * @param account by id, or by an email address in lower case, which need not exist
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

    /** Makes a client known to an account, after a sign-in or a password reset from there. */
    async add(userId: string, { device, network }: Client): Promise<void> {
      await pool.query(
        `with seen as (
           insert into known_client (user_id, hash) select $1, unnest($2::bytea[])
           on conflict (user_id, hash) do update set seen_at = now())
         delete from known_client where user_id = $1 and hash in (
           select hash from known_client where user_id = $1 order by seen_at desc offset ${MAXIMUM_KNOWN})`,
        [userId, device === null ? [network] : [device, network]],
      );
    },

    /**
     * Records the device of a sign-in, for the notice about a sign-in from an unknown device.
     * @param userAgent the header; versions in it are ignored, because updates change them
     * @returns whether the account knows other devices of the last year, but not this one
     */
    async recordDevice(userId: string, userAgent: string): Promise<boolean> {
      const withoutVersions = userAgent.replace(/[\d._]+/g, '');
      const { rows } = await pool.query(
        `with old as (delete from known_device where user_id = $1 and hash <> $2
                       and (seen_at < now() - interval '1 year' or hash in (
                         select hash from known_device where user_id = $1 and hash <> $2
                          order by seen_at desc offset ${MAXIMUM_KNOWN - 1}))),
              known as (select hash from known_device where user_id = $1 and seen_at >= now() - interval '1 year'),
              seen as (insert into known_device (user_id, hash) values ($1, $2)
                       on conflict (user_id, hash) do update set seen_at = now())
         select exists (select from known) and not exists (select from known where hash = $2) as "isNew"`,
        [userId, createHash('sha256').update(withoutVersions).digest()],
      );
      return Recognition.parse(rows)[0]?.isNew ?? false;
    },

    /** Records the device that registered an account. */
    async recordRegistration(email: string, { device }: Client): Promise<void> {
      if (device === null) return;
      await pool.query(
        `insert into registration (user_id, device_hash) select id, $2 from "user" where email = $1
         on conflict do nothing`,
        [email, device],
      );
    },

    /** Checks whether this client's device registered the account with a password. */
    async isRegistrationDevice(userId: string, { device }: Client): Promise<boolean> {
      const { rowCount } = await pool.query(
        'select from registration where user_id = $1 and device_hash = $2',
        [userId, device],
      );
      return rowCount === 1;
    },
  };
}
