import * as z from 'zod/mini';
import type { RefusalCode } from './refusals.ts';
import type { Role } from './scalars.ts';
import type { RequiredRights } from './staff-rights.ts';

/**
 * The access to a call:
 * - `public`: anyone; with a valid token the response may contain more, and an invalid token is ignored;
 * - `identity`: users with an ID token of the identity provider, registered or not;
 * - `signed-in`: users with a token of this shop;
 * - a list of roles: users with a token of this shop and one of the roles.
 */
export type Access = 'public' | 'identity' | 'signed-in' | readonly Role[];

/** A call for admins must say which right it requires: one of these. */
type RightsOf<A extends Access> = A extends readonly (infer Allowed)[]
  ? 'Admin' extends Allowed
    ? { readonly rights: RequiredRights }
    : unknown
  : unknown;

/** The rate limits, which count by account and by address. The server defines the quotas. */
export type LimitName =
  | 'export'
  | 'registration'
  | 'lookingUp'
  | 'renaming'
  | 'listing'
  | 'saving'
  | 'editing'
  | 'previewing'
  | 'measuring'
  | 'advertising'
  | 'booking'
  | 'reporting'
  | 'payment'
  | 'recording'
  | 'handOver'
  | 'complaining'
  | 'reviewing'
  | 'conversing'
  | 'messaging'
  | 'meeting'
  | 'payout'
  | 'subscribing'
  | 'phoneCode'
  | 'inviting'
  | 'invitation';

/** The parts that every declaration of a call has, and its optional limits. */
interface RequiredParts<A, Response> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/api`, with `:name` for path parameters. */
  readonly path: `/${string}`;
  readonly access: A;
  readonly summary: string;
  readonly response: Response;
  /** The rate limit of this call, if any. */
  readonly limit?: LimitName;
  /** Requires a recent authentication: a stolen token alone must not be enough. */
  readonly needsRecentAuthentication?: true;
  /**
   * Of a call with the access `signed-in`: whether those whom the shop asks for a second factor need it, because the call shows what
   * others wrote or where they live. The calls of roles always need it, and those of an order.
   */
  readonly needsSecondFactor?: true;
  /**
   * The resources that the call changes besides its own, as {@link resourceOf} names them. Clients read them again. `everything` for
   * what many lists show, such as a name.
   */
  readonly changes?: readonly string[];
}

/** The resource of a call: the first part of its path. */
export const resourceOf = ({ path }: { path: string }): string => path.split('/', 2)[1] ?? '';

/** The parts that a declaration may omit. */
interface OptionalParts<Params, Query, Body, Keyed> {
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** The refusals of this call, without those implied by its access, limit and input. */
  readonly refusals?: readonly RefusalCode[];
  /**
   * Whether the call takes an `Idempotency-Key` header. For 24 hours a retry with the same key and input gets the first
   * response instead of being carried out again.
   */
  readonly idempotencyKey?: Keyed;
}

/** A call of the contract: the only source for its server, clients, documentation and tests. */
export interface Endpoint<
  A extends Access = Access,
  Params extends z.ZodMiniType = z.ZodMiniType,
  Query extends z.ZodMiniType = z.ZodMiniType,
  Body extends z.ZodMiniType = z.ZodMiniType,
  Response extends z.ZodMiniType = z.ZodMiniType,
  Keyed extends boolean = boolean,
> extends RequiredParts<A, Response>,
    Required<OptionalParts<Params, Query, Body, Keyed>> {
  /** The rights of which an admin needs one for this call. */
  readonly rights?: RequiredRights;
}

/** For calls without path parameters, query or body. */
export const nothing = z.undefined();
export type Nothing = typeof nothing;

/** Creates an endpoint. Omitted schemas default to `nothing`, also in the type of the handler's input. */
export function endpoint<
  const A extends Access,
  Response extends z.ZodMiniType,
  Params extends z.ZodMiniType = Nothing,
  Query extends z.ZodMiniType = Nothing,
  Body extends z.ZodMiniType = Nothing,
  const Keyed extends boolean = false,
>(
  parts: RequiredParts<A, Response> & OptionalParts<Params, Query, Body, Keyed> & RightsOf<A>,
): Endpoint<A, Params, Query, Body, Response, Keyed>;
export function endpoint(parts: RequiredParts<Access, z.ZodMiniType> & Partial<Endpoint>): Endpoint {
  return { params: nothing, query: nothing, body: nothing, refusals: [], idempotencyKey: false, ...parts };
}
