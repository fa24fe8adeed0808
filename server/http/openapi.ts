import type * as z from 'zod/mini';
import { callsOf, rooms } from '#contract/calls.ts';
import type { Access, Endpoint } from '#contract/endpoint.ts';
import { ProblemDocument, type RefusalCode, refusals } from '#contract/refusals.ts';
import { createSchemaWriter, type JsonSchema } from './openapi-schemas.ts';

interface Content {
  [mediaType: string]: { schema: JsonSchema };
}

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  description?: string;
  required: boolean;
  schema: JsonSchema;
}

interface Response {
  description: string;
  headers?: Record<string, { description: string; schema: JsonSchema }>;
  content: Content;
}

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security: Record<string, string[]>[];
  parameters: Parameter[];
  requestBody?: { required: true; content: Content };
  responses: Record<string, Response>;
}

export interface OpenApiDocument {
  openapi: '3.1.1';
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, JsonSchema>;
    securitySchemes: Record<string, { type: 'http'; scheme: 'bearer'; description: string }>;
  };
}

const groupDescriptions: Record<string, string> = {
  catalogue: 'Brands, laptops and advertisements',
  accounts: 'Token exchange, registration and roles',
  people: 'Sellers and buyers, for admins',
  privacy: 'One’s own data and account',
  bookings: 'Orders, by their buyers and their sellers',
  wishlist: 'What a buyer has put aside',
  payments: 'Paying for a booking by card',
  reports: 'Reports of laptops and take-downs',
  audit: 'The audit trail',
  settings: 'Where the providers behind the shop are',
};

const idempotencyKeyHeader: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Chosen by the client for one act. A retry with the same key and the same input within 24 hours is carried out once and gets the first answer again, with `Idempotent-Replayed: true`.',
  schema: { type: 'string', minLength: 1, maxLength: 200, pattern: '^[\\x21-\\x7e]+$' },
};

const isNothing = (schema: z.ZodMiniType) => schema._zod.def.type === 'undefined';

/** Who may make a call, as a sentence. */
export function accessSentence(access: Access): string {
  if (access === 'public')
    return 'Anyone. A token may be sent, and the answer may then say more; one that does not hold counts as none.';
  if (access === 'identity') return 'Who bears an ID token of the identity provider.';
  if (access === 'signed-in') return 'Anyone who is signed in.';
  return `Who is signed in as ${access.join(' or ')}.`;
}

function securityOf(access: Access): Record<string, string[]>[] {
  if (access === 'public') return [{}, { shopToken: [] }];
  if (access === 'identity') return [{ identityToken: [] }];
  // Beside OAuth, OpenAPI reads these lists as the roles that are needed; any one of ours is enough.
  return access === 'signed-in' ? [{ shopToken: [] }] : access.map((role) => ({ shopToken: [role] }));
}

/** The refusals of a call: its own, and those that its access, its limit and its input bring along. */
function refusalsOf({
  access,
  params,
  query,
  body,
  limit,
  fresh,
  idempotencyKey,
  refusals: own,
}: Endpoint): Set<RefusalCode> {
  const takesBody = !isNothing(body);
  return new Set<RefusalCode>([
    ...(takesBody ? (['malformed_request', 'too_large', 'unsupported_media_type'] as const) : []),
    ...(access === 'public'
      ? []
      : (['not_signed_in', 'token_expired', 'session_ended', 'account_ended'] as const)),
    ...(typeof access === 'string' ? [] : (['not_allowed'] as const)),
    ...(fresh === true ? (['reauthentication_required'] as const) : []),
    ...(access === 'identity' ? (['identity_unavailable'] as const) : []),
    ...(isNothing(params) ? [] : (['not_found'] as const)),
    ...(takesBody || !isNothing(query) ? (['invalid_input'] as const) : []),
    ...(idempotencyKey ? (['idempotency_key_reused', 'request_in_progress'] as const) : []),
    ...own,
    ...(limit === undefined ? [] : (['too_many_requests'] as const)),
    'database_unavailable',
    'internal',
  ]);
}

/**
 * The contract as an OpenAPI 3.1 document.
 * @param origin the shop's public origin, without a trailing slash
 */
export function openApiDocument(origin: string): OpenApiDocument {
  const schemas: Record<string, JsonSchema> = {};
  const write = createSchemaWriter(schemas);
  const problem = write(ProblemDocument, 'output');

  function fieldsOf(schema: z.ZodMiniType): JsonSchema {
    const written = write(schema, 'input');
    return schemas[written.$ref?.split('/').at(-1) ?? ''] ?? written;
  }

  function parametersOf(schema: z.ZodMiniType, place: 'path' | 'query'): Parameter[] {
    if (isNothing(schema)) return [];
    const { properties = {}, required = [] } = fieldsOf(schema);
    return Object.entries(properties).map(([name, field]) => ({
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      schema: field,
    }));
  }

  function problemsOf(endpoint: Endpoint): Record<string, Response> {
    const byStatus = Map.groupBy(refusalsOf(endpoint), (code) => refusals[code].status);
    return Object.fromEntries(
      [...byStatus].map(([status, codes]) => [
        String(status),
        {
          description: codes.map((code) => refusals[code].title).join('; '),
          content: {
            'application/problem+json': {
              schema: { allOf: [problem, { properties: { code: { enum: codes } } }] },
            },
          },
        },
      ]),
    );
  }

  function operationOf(room: string, name: string, endpoint: Endpoint): Operation {
    const query = parametersOf(endpoint.query, 'query');
    const paged = query.some((parameter) => parameter.name === 'cursor');
    return {
      operationId: name,
      tags: [room],
      summary: endpoint.summary,
      description: accessSentence(endpoint.access),
      security: securityOf(endpoint.access),
      parameters: [
        ...parametersOf(endpoint.params, 'path'),
        ...query,
        ...(endpoint.idempotencyKey ? [idempotencyKeyHeader] : []),
      ],
      ...(!isNothing(endpoint.body) && {
        requestBody: {
          required: true,
          content: { 'application/json': { schema: write(endpoint.body, 'input') } },
        },
      }),
      responses: {
        '200': {
          description: 'Done',
          ...(paged && {
            headers: {
              Link: {
                description: 'The address of the next page with rel="next", when there is one',
                schema: { type: 'string' },
              },
            },
          }),
          content: { 'application/json': { schema: write(endpoint.answer, 'output') } },
        },
        ...problemsOf(endpoint),
      },
    };
  }

  const paths: OpenApiDocument['paths'] = {};
  for (const [room, exported] of rooms) {
    for (const [name, endpoint] of callsOf(exported)) {
      const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
      paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(room, name, endpoint) };
    }
  }

  return {
    openapi: '3.1.1',
    info: {
      title: 'The calls of Coomercio',
      version: '1',
      description:
        'Everything that the pages of this shop do, they do by these calls. A refusal is a problem document (RFC 9457) whose `detail` is a sentence for people and whose `code` is for programs. Amounts are in US dollars with at most two decimals. Photos are uploaded to the address that `GET /settings` names.',
    },
    servers: [{ url: `${origin}/api` }],
    tags: [...rooms.keys()].map((name) => ({ name, description: groupDescriptions[name] ?? name })),
    paths,
    components: {
      schemas,
      securitySchemes: {
        shopToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'The token of this shop, as `GET /jwt` answers it in `coomercioToken`.',
        },
        identityToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'An ID token of the identity provider that `GET /settings` names.',
        },
      },
    },
  };
}
