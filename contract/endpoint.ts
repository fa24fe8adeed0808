import * as z from 'zod/mini';
import type { RefusalCode } from './refusals.ts';
import type { Role } from './scalars.ts';

/**
 * Who may make a call:
 * - `public`: anyone; a valid token is still read, so that an answer may say more to its bearer, and one that does
 *   not hold is answered as no token is;
 * - `identity`: who proves an identity with an ID token of the identity provider, before having a user record;
 * - `signed-in`: who bears a token of this shop;
 * - a list of roles: who bears a token of this shop and has one of them.
 */
export type Access = 'public' | 'identity' | 'signed-in' | readonly Role[];

/** What is limited by account and by address; how often is the server's affair. */
export type LimitName =
  | 'export'
  | 'registration'
  | 'listing'
  | 'advertising'
  | 'booking'
  | 'reporting'
  | 'payment'
  | 'recording';

/** One call of the contract. Everything that serves, makes, documents or tests a call reads it from here. */
export interface Endpoint<
  A extends Access = Access,
  Params extends z.ZodMiniType = z.ZodMiniType,
  Query extends z.ZodMiniType = z.ZodMiniType,
  Body extends z.ZodMiniType = z.ZodMiniType,
  Answer extends z.ZodMiniType = z.ZodMiniType,
  Keyed extends boolean = boolean,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/api`, with `:name` for path parameters. */
  readonly path: `/${string}`;
  readonly access: A;
  readonly summary: string;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly answer: Answer;
  /** The refusals that are this call's own; those of `access`, of `limit` and of bad input are understood. */
  readonly refusals: readonly RefusalCode[];
  /** Under which limit it counts; without one it is not limited. */
  readonly limit?: LimitName;
  /** Demands that the caller has just shown who they are: a stolen token alone must not be enough for it. */
  readonly fresh?: true;
  /**
   * Takes an `Idempotency-Key` header: a retry with the same key and the same input is carried out once, and gets the
   * first answer again, for 24 hours. Without the header each request is carried out.
   */
  readonly idempotencyKey: Keyed;
}

/** For calls without path parameters, query or body. */
export const nothing = z.undefined();
type Nothing = typeof nothing;

interface Description<A, Params, Query, Body, Answer, Keyed> {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: `/${string}`;
  access: A;
  summary: string;
  params?: Params;
  query?: Query;
  body?: Body;
  answer: Answer;
  refusals?: readonly RefusalCode[];
  limit?: LimitName;
  fresh?: true;
  idempotencyKey?: Keyed;
}

/** Describes a call; parts that are left out are `nothing`, so that a handler's input type says so. */
export function endpoint<
  const A extends Access,
  Answer extends z.ZodMiniType,
  Params extends z.ZodMiniType = Nothing,
  Query extends z.ZodMiniType = Nothing,
  Body extends z.ZodMiniType = Nothing,
  const Keyed extends boolean = false,
>(
  description: Description<A, Params, Query, Body, Answer, Keyed>,
): Endpoint<A, Params, Query, Body, Answer, Keyed>;
export function endpoint(
  description: Description<Access, z.ZodMiniType, z.ZodMiniType, z.ZodMiniType, z.ZodMiniType, boolean>,
): Endpoint {
  return {
    params: nothing,
    query: nothing,
    body: nothing,
    refusals: [],
    idempotencyKey: false,
    ...description,
  };
}
