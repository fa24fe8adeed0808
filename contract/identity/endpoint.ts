import type * as z from 'zod/mini';
import { type Nothing, nothing } from '#contract/platform/endpoint.ts';

/**
 * The bearer token that an endpoint requires:
 * - `none`: no token;
 * - `session`: the token of a session;
 * - `challenge`: the token of a sign-in whose second factor is pending;
 * - `optional-challenge`: a challenge token or no token;
 * - `service`: the secret that the identity provider shares with the shop's server.
 */
export type IdentityAccess = 'none' | 'session' | 'challenge' | 'optional-challenge' | 'service';

/** An endpoint of the identity provider. The provider's routes and its clients are typed by it. */
export interface IdentityEndpoint<
  Params extends z.ZodMiniType = z.ZodMiniType,
  Body extends z.ZodMiniType = z.ZodMiniType,
  Response extends z.ZodMiniType = z.ZodMiniType,
> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below `/identity`, with `:name` for path parameters. */
  readonly path: `/${string}`;
  readonly access: IdentityAccess;
  readonly summary: string;
  readonly params: Params;
  readonly query: Nothing;
  readonly body: Body;
  readonly response: Response;
  readonly identity: true;
  /** The resources that any of them can change. */
  readonly changes: readonly string[];
}

type Described<Response extends z.ZodMiniType> = Pick<
  IdentityEndpoint<z.ZodMiniType, z.ZodMiniType, Response>,
  'method' | 'path' | 'access' | 'summary' | 'response'
>;

const common = {
  params: nothing,
  query: nothing,
  body: nothing,
  identity: true,
  changes: ['account', 'sessions'],
} as const;

/** Creates an endpoint. Omitted `params` and `body` mean that it has none. */
export function identityEndpoint<
  Response extends z.ZodMiniType,
  Params extends z.ZodMiniType = Nothing,
  Body extends z.ZodMiniType = Nothing,
>(parts: Described<Response> & { params?: Params; body?: Body }): IdentityEndpoint<Params, Body, Response>;
export function identityEndpoint(
  parts: Described<z.ZodMiniType> & Partial<IdentityEndpoint>,
): IdentityEndpoint {
  return { ...common, ...parts };
}
