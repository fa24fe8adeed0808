import type * as z from 'zod/mini';
import { callsOf, contractModules } from '#contract/calls.ts';
import type * as modules from '#contract/modules.ts';
import type { Access, Endpoint } from '#contract/platform/endpoint.ts';
import { ProblemDocument, type RefusalCode, refusals } from '#contract/platform/refusals.ts';
import { areaNames } from '#contract/platform/staff-rights.ts';
import { createSchemaConverter, type JsonSchema } from './openapi-schemas.ts';

interface Response {
  description: string;
  headers?: Record<string, { description: string; schema: JsonSchema }>;
  content: Record<string, { schema: JsonSchema }>;
}

/** The generated document. Only the fields that this project generates are typed. */
export type OpenApiDocument = ReturnType<typeof openApiDocument>;

const tagDescriptions: Record<keyof typeof modules, string> = {
  catalogue: 'Brands, laptops and advertisements',
  brands: 'The shop’s brands, for admins',
  inspections: 'Measurements of laptops, by their sellers',
  laptopDrafts: 'Laptops that are measured before they are listed',
  browserChecks: 'Tests in the browser of a measured laptop',
  inspectionQueue: 'Inspections by the shop, for admins',
  certificates: 'Certificates of laptops, for everybody',
  search: 'Search and suggestions',
  sameLaptop: 'A second measurement of a sold laptop',
  savedSearches: 'Saved searches and their emails',
  notifications: 'One’s own notifications, their emails and push messages',
  subscriptions: 'Unsubscribe links of emails',
  accounts: 'Token exchange, registration and roles',
  phoneChecks: 'The caller’s confirmed telephone number',
  sellerChecks: 'What admins have checked of sellers',
  userAdmin: 'Sellers and buyers, for admins',
  privacy: 'One’s own data and account',
  bookings: 'Bookings, by their buyers and their sellers',
  wishlist: 'The wishlist of a buyer',
  orders: 'Orders of paid laptops and their hand-over',
  shipping: 'Parcels of orders, and where they are sent',
  labels: 'Labels of parcels that the shop buys',
  complaints: 'Complaints about orders',
  sellerPages: 'Sellers with their reviews and laptops, for everybody',
  shopFigures: 'What became of the latest sales, for everybody',
  reviews: 'Reviews that the two sides of an order write about each other',
  reviewReports: 'Reports of reviews',
  messages: 'Conversations of buyers and sellers',
  meetings: 'Where and when a buyer and a seller meet',
  messageReports: 'Reports of conversations, and what admins read because of them',
  payments: 'Paying for a booking by card',
  payouts: 'Payouts to sellers',
  settlements: 'Payments to sellers by hand, for admins',
  accounting: 'Receipts, statements and the shop’s money',
  reports: 'Reports of laptops and take-downs',
  toDo: 'What waits for the caller',
  audit: 'The audit trail',
  content: 'Pages and posts that admins write',
  health: 'Whether each part of the shop works, for admins',
  firstSteps: 'What makes a new shop ready',
  settings: 'How the shop presents itself, what its owner decides, and the URLs of its providers',
  staff: 'Admins, their rights and invitations, for owners',
  sitemaps: 'Addresses for search engines',
};

const idempotencyKeyHeader = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Chosen by the client for one operation. A retry with the same key and the same input within 24 hours is carried out once and gets the first response again, with `Idempotent-Replayed: true`.',
  schema: { type: 'string', minLength: 1, maxLength: 200, pattern: '^[\\x21-\\x7e]+$' },
};

const isEmpty = (schema: z.ZodMiniType) => schema._zod.def.type === 'undefined';

/** Describes in a sentence who can make a call. */
export function describeAccess({ access, rights }: Pick<Endpoint, 'access' | 'rights'>): string {
  if (access === 'public')
    return 'Anyone. With a valid token the response may contain more. An invalid token is ignored.';
  if (access === 'identity') return 'Requires an ID token of the identity provider.';
  if (access === 'signed-in') return 'Any signed-in user.';
  const users = `Users signed in as ${access.join(' or ')}`;
  if (rights === undefined) return `${users}.`;
  const areas = rights.flatMap((right) =>
    right === 'owner' ? [] : `an admin with the right ${areaNames[right]}`,
  );
  return `${users}: ${['an owner', ...areas].join(', or ')}.`;
}

function securityOf(access: Access): Record<string, string[]>[] {
  if (access === 'public') return [{}, { shopToken: [] }];
  if (access === 'identity') return [{ identityToken: [] }];
  // For other schemes than OAuth these lists contain required roles. Alternatives are separate requirements.
  return access === 'signed-in' ? [{ shopToken: [] }] : access.map((role) => ({ shopToken: [role] }));
}

/** All refusals of a call: its own, and those implied by its access, limit and input. */
function refusalsOf({
  method,
  access,
  params,
  query,
  body,
  limit,
  needsRecentAuthentication,
  needsSecondFactor,
  idempotencyKey,
  refusals: ownRefusals,
}: Endpoint): Set<RefusalCode> {
  const takesBody = !isEmpty(body);
  return new Set<RefusalCode>([
    ...(takesBody ? (['malformed_request', 'too_large', 'unsupported_media_type'] as const) : []),
    ...(access === 'public'
      ? []
      : (['not_signed_in', 'token_expired', 'session_ended', 'account_ended'] as const)),
    ...(typeof access === 'string' ? [] : (['not_allowed'] as const)),
    ...(typeof access === 'string' && needsSecondFactor !== true
      ? []
      : (['second_factor_required'] as const)),
    ...(needsRecentAuthentication === true ? (['reauthentication_required'] as const) : []),
    ...(access === 'identity' ? (['identity_unavailable'] as const) : []),
    ...(isEmpty(params) ? [] : (['not_found'] as const)),
    ...(takesBody || !isEmpty(query) ? (['invalid_input'] as const) : []),
    ...(idempotencyKey ? (['idempotency_key_reused', 'request_in_progress'] as const) : []),
    ...ownRefusals,
    // Of reads, at most so many at once: `limit-reads.ts`.
    ...(limit === undefined && method !== 'GET' ? [] : (['too_many_requests'] as const)),
    'database_unavailable',
    'internal',
  ]);
}

/**
 * Generates the OpenAPI 3.1 document of the contract.
 * @param origin the shop's public origin, without a trailing slash
 */
export function openApiDocument(origin: string, shopName: string) {
  const schemas: Record<string, JsonSchema> = {};
  const convert = createSchemaConverter(schemas);
  const problem = convert(ProblemDocument, 'output');

  function fieldsOf(schema: z.ZodMiniType): JsonSchema {
    const converted = convert(schema, 'input');
    return schemas[converted.$ref?.split('/').at(-1) ?? ''] ?? converted;
  }

  function parametersOf(schema: z.ZodMiniType, location: 'path' | 'query') {
    if (isEmpty(schema)) return [];
    const { properties = {}, required = [] } = fieldsOf(schema);
    return Object.entries(properties).map(([name, field]) => ({
      name,
      in: location,
      required: location === 'path' || required.includes(name),
      schema: field,
    }));
  }

  function problemsOf(endpoint: Endpoint): Record<string, Response> {
    const byStatus = Map.groupBy(refusalsOf(endpoint), (code) => refusals[code].status);
    return Object.fromEntries(
      [...byStatus].map(([status, codes]) => [
        String(status),
        {
          description: codes.map((code) => `\`${code}\` ${refusals[code].title}`).join('; '),
          content: {
            'application/problem+json': {
              schema: { allOf: [problem, { properties: { code: { enum: codes } } }] },
            },
          },
        },
      ]),
    );
  }

  function operationOf(tag: string, name: string, endpoint: Endpoint) {
    const query = parametersOf(endpoint.query, 'query');
    const paged = query.some((parameter) => parameter.name === 'cursor');
    const responses: Record<string, Response> = {
      '200': {
        description: 'Done',
        ...(paged && {
          headers: {
            Link: {
              description: 'The URL of the next page with rel="next", if there is one',
              schema: { type: 'string' },
            },
          },
        }),
        content: { 'application/json': { schema: convert(endpoint.response, 'output') } },
      },
      ...problemsOf(endpoint),
    };
    return {
      operationId: name,
      tags: [tag],
      summary: endpoint.summary,
      description: describeAccess(endpoint),
      security: securityOf(endpoint.access),
      parameters: [
        ...parametersOf(endpoint.params, 'path'),
        ...query,
        ...(endpoint.idempotencyKey ? [idempotencyKeyHeader] : []),
      ],
      ...(!isEmpty(endpoint.body) && {
        requestBody: {
          required: true,
          content: { 'application/json': { schema: convert(endpoint.body, 'input') } },
        },
      }),
      responses,
    };
  }

  const paths: Record<string, Record<string, ReturnType<typeof operationOf>>> = {};
  for (const [tag, exported] of contractModules) {
    for (const [name, endpoint] of callsOf(exported)) {
      const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
      paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(tag, name, endpoint) };
    }
  }

  return {
    openapi: '3.1.1',
    info: {
      title: `The calls of ${shopName}`,
      version: '1',
      description:
        'The pages of this shop use only these calls. A refusal is a problem document (RFC 9457) with a `detail` for people and a `code` for programs. Amounts are in the shop’s currency, `shop.currency` of `GET /settings`, with at most two decimals; what ends in `Cents` is in hundredths. Photos are uploaded to the URL in `GET /settings`.',
    },
    servers: [{ url: `${origin}/api` }],
    tags: Object.entries(tagDescriptions).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas,
      securitySchemes: {
        shopToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'The token of this shop, from `coomercioToken` of `GET /jwt`.',
        },
        identityToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'An ID token of the identity provider in `GET /settings`.',
        },
      },
    },
  };
}
