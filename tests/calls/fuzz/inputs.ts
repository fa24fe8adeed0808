import fc from 'fast-check';
import * as z from 'zod/mini';
import type { Endpoint } from '#contract/platform/endpoint.ts';
import { contentTypes, hostileNumbers, hostileTexts, unusualHeaders } from './hostile-values.ts';

/** The parts of a JSON Schema from which inputs are generated. */
interface Shape {
  type?: string | string[] | undefined;
  properties?: Record<string, Shape> | undefined;
  required?: string[] | undefined;
  anyOf?: Shape[] | undefined;
  items?: Shape | undefined;
  enum?: unknown[] | undefined;
  maxLength?: number | undefined;
}
const Shape: z.ZodMiniType<Shape> = z.lazy(() =>
  z.object({
    type: z.optional(z.union([z.string(), z.array(z.string())])),
    properties: z.optional(z.record(z.string(), Shape)),
    required: z.optional(z.array(z.string())),
    anyOf: z.optional(z.array(Shape)),
    items: z.optional(Shape),
    enum: z.optional(z.array(z.unknown())),
    maxLength: z.optional(z.number()),
  }),
);

const shapeOf = (schema: z.ZodMiniType): Shape =>
  Shape.parse(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));

/** A request to one endpoint. */
export interface FuzzRequest {
  name: string;
  method: string;
  /** Below `/api`, query included, encoded. */
  path: string;
  /** The user whose token is sent. */
  sender: Sender;
  headers: Record<string, string>;
  body: string | null;
}

const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...hostileTexts),
  fc.constantFrom<unknown>(...hostileNumbers, null, true, false, [], {}, [[]], { $ne: null }, { length: -1 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.double(),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Generates the usual value, and another one in 1 of 15 cases. */
function sometimes<Value>(other: fc.Arbitrary<Value>, usual: Value): fc.Arbitrary<Value> {
  return fc.oneof({ weight: 14, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: other });
}

/**
 * Valid values by field name, with which an input passes validation and reaches the handler; by the name of a call, valid bodies,
 * which a call needs when its fields depend on each other.
 */
export type ValidValues = Readonly<Record<string, readonly unknown[]>>;

function inputOf(shape: Shape, field: string, validValues: ValidValues): fc.Arbitrary<unknown> {
  const good = validValues[field] ?? [];
  const choices: fc.WeightedArbitrary<unknown>[] = [{ weight: 2, arbitrary: hostile }];
  if (good.length > 0) choices.push({ weight: 8, arbitrary: fc.constantFrom(...good) });
  if (shape.enum !== undefined) choices.push({ weight: 6, arbitrary: fc.constantFrom(...shape.enum) });
  for (const option of shape.anyOf ?? []) {
    choices.push({ weight: 2, arbitrary: inputOf(option, field, validValues) });
  }
  if (shape.properties !== undefined)
    choices.push({ weight: 8, arbitrary: objectOf(shape, field, validValues) });
  const types = [shape.type].flat();
  if (types.includes('string')) {
    const maxLength = shape.maxLength ?? 40;
    choices.push(
      { weight: 2, arbitrary: fc.string({ minLength: 1, maxLength: Math.min(maxLength, 60) }) },
      // The maximum length, and one character more.
      { weight: 1, arbitrary: fc.constantFrom('y'.repeat(maxLength), 'y'.repeat(maxLength + 1)) },
    );
  }
  if (types.includes('number') || types.includes('integer')) {
    choices.push(
      { weight: 2, arbitrary: fc.integer({ min: 1, max: 200_000 }).map((cents) => cents / 100) },
      { weight: 1, arbitrary: fc.constantFrom(...hostileNumbers) },
    );
  }
  return fc.oneof(...choices);
}

/** Generates a valid value as far as one is known: with many fields, random ones are seldom all valid. */
function validInputOf(shape: Shape, field: string, validValues: ValidValues): fc.Arbitrary<unknown> {
  if (shape.enum !== undefined) return fc.constantFrom(...shape.enum);
  const good = validValues[field] ?? [];
  if (good.length > 0) return fc.constantFrom(...good);
  const { properties } = shape;
  if (properties === undefined) return inputOf(shape, field, validValues);
  const fields = Object.entries(properties).map(([name, inner]) => {
    const valid = validInputOf(inner, name, validValues);
    const isRequired = shape.required?.includes(name) === true;
    return [name, isRequired ? valid : fc.option(valid, { freq: 1, nil: undefined })] as const;
  });
  return fc.record(Object.fromEntries(fields));
}

/** Generates an object with valid, invalid or missing fields, and sometimes unknown ones. */
function objectOf(
  shape: Shape,
  name: string,
  validValues: ValidValues,
): fc.Arbitrary<Record<string, unknown>> {
  const fields = Object.entries(shape.properties ?? {}).map(([field, inner]) => {
    return [field, fc.option(inputOf(inner, field, validValues), { freq: 8, nil: undefined })] as const;
  });
  const unknownFields = fc.dictionary(
    fc.constantFrom('role', '_id', 'paid', 'constructor', 'toString', 'x'),
    hostile,
    {
      maxKeys: 2,
    },
  );
  const valid = validInputOf(
    { properties: shape.properties, required: shape.required },
    name,
    validValues,
  ).map((fields) => ({ ...Object(fields) }));
  const mixed = fc
    .tuple(fc.record(Object.fromEntries(fields)), sometimes(unknownFields, {}))
    .map(([known, more]) => ({ ...more, ...known }));
  return fc.oneof(mixed, valid);
}

const textOf = (value: unknown) =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined');
const encoded = (value: unknown) => encodeURIComponent(textOf(value).toWellFormed());

/** Generates a path with its parameters; some values make the URL itself malformed. */
function pathOf(endpoint: Endpoint, validValues: ValidValues): fc.Arbitrary<string> {
  const { properties = {} } = shapeOf(endpoint.params);
  const values = Object.entries(properties).map(
    ([name, shape]) => [name, inputOf(shape, name, validValues)] as const,
  );
  // Without `.` and `..`: a URL never has them, and such a request would go to another endpoint.
  const malformed = fc.constantFrom<string>('%', '%zz', '%ff', ';', '%2e%2e%2f', 'a/b');
  return fc
    .tuple(fc.record(Object.fromEntries(values)), sometimes<string | null>(malformed, null))
    .map(([given, wrong]) =>
      endpoint.path.replace(/:(\w+)/g, (_, name: string) => wrong ?? (encoded(Object(given)[name]) || '%20')),
    );
}

function queryOf(endpoint: Endpoint, validValues: ValidValues): fc.Arbitrary<string> {
  const shape = shapeOf(endpoint.query);
  const unknownFields = fc.constantFrom(
    '',
    '',
    '',
    '?x=1',
    '?__proto__[x]=1',
    '?limit=1&limit=2',
    '?%00=%00',
    '?&&==&',
  );
  if (shape.properties === undefined) return unknownFields;
  const query = objectOf(shape, '', validValues).map((fields) => {
    const parts = Object.entries(fields).flatMap(([name, value]) =>
      value === undefined ? [] : [`${encoded(name)}=${encoded(value)}`],
    );
    return parts.length === 0 ? '' : `?${parts.join('&')}`;
  });
  return fc.oneof({ weight: 8, arbitrary: query }, { weight: 1, arbitrary: unknownFields });
}

/** Generates a body: an object of the schema, other JSON, or text that is not JSON. */
function bodyOf(
  name: string,
  endpoint: Endpoint,
  validValues: ValidValues,
): fc.Arbitrary<Pick<FuzzRequest, 'body' | 'headers'>> {
  const shape = shapeOf(endpoint.body);
  const stray = fc.constantFrom<string | null>(null, null, null, '{}', 'null');
  if (shape.properties === undefined) {
    return endpoint.method === 'GET'
      ? fc.constant({ body: null, headers: {} })
      : stray.map((body) => ({ body, headers: body === null ? {} : { 'content-type': 'application/json' } }));
  }
  const json = objectOf(shape, name, validValues).map((value) => JSON.stringify(value));
  const text = fc.oneof(
    { weight: 14, arbitrary: json },
    { weight: 2, arbitrary: hostile.map((value) => JSON.stringify(value) ?? '') },
    // Truncated JSON.
    { weight: 1, arbitrary: fc.tuple(json, fc.nat(60)).map(([whole, kept]) => whole.slice(0, kept)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('[['.repeat(2_000), '{"a":'.repeat(2_000), '{"__proto__":{}}', '1e999'),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom('{"price":1e400}', '{"price":1,"price":"x"}', '\uFEFF{}', '//{}'),
    },
  );
  const type = fc.oneof(
    { weight: 20, arbitrary: fc.constant('application/json') },
    { weight: 1, arbitrary: fc.constantFrom(...contentTypes) },
  );
  return fc
    .tuple(text, type)
    .map(([body, contentType]) => ({ body, headers: { 'content-type': contentType } }));
}

/** The users that requests are sent as; most requests are sent as a user with access. */
const senders = ['nobody', 'forged', 'identity', 'Buyer', 'Seller', 'Admin'] as const;
export type Sender = (typeof senders)[number];

/** The users who have access to a call. */
export const entitledSenders = ({ access }: Endpoint): readonly Sender[] =>
  access === 'identity' ? ['identity'] : typeof access === 'string' ? ['Buyer', 'Seller'] : access;

function senderOf(endpoint: Endpoint): fc.Arbitrary<Sender> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...entitledSenders(endpoint)) },
    { weight: 1, arbitrary: fc.constantFrom(...senders) },
  );
}

/** Generates requests to one endpoint: valid, invalid, malformed and hostile. */
export function requestsTo(
  name: string,
  endpoint: Endpoint,
  validValues: ValidValues,
): fc.Arbitrary<FuzzRequest> {
  return fc
    .record({
      path: pathOf(endpoint, validValues),
      query: queryOf(endpoint, validValues),
      content: bodyOf(name, endpoint, validValues),
      sender: senderOf(endpoint),
      unusual: sometimes<Readonly<Record<string, string>>>(fc.constantFrom(...unusualHeaders), {}),
    })
    .map(({ path, query, content, sender, unusual }) => ({
      name,
      method: endpoint.method,
      path: `${path}${query}`,
      sender,
      headers: { ...content.headers, ...unusual },
      body: content.body,
    }));
}
