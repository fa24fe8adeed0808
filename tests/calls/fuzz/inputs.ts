import fc from 'fast-check';
import * as z from 'zod/mini';
import type { Endpoint } from '#contract/endpoint.ts';

/** What a JSON Schema says, as far as inputs are made from it. */
interface Shape {
  type?: string | string[] | undefined;
  properties?: Record<string, Shape> | undefined;
  anyOf?: Shape[] | undefined;
  items?: Shape | undefined;
  enum?: unknown[] | undefined;
  maxLength?: number | undefined;
}
const Shape: z.ZodMiniType<Shape> = z.lazy(() =>
  z.object({
    type: z.optional(z.union([z.string(), z.array(z.string())])),
    properties: z.optional(z.record(z.string(), Shape)),
    anyOf: z.optional(z.array(Shape)),
    items: z.optional(Shape),
    enum: z.optional(z.array(z.unknown())),
    maxLength: z.optional(z.number()),
  }),
);

const shapeOf = (schema: z.ZodMiniType): Shape =>
  Shape.parse(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));

/** One call as it goes out. */
export interface Attempt {
  name: string;
  method: string;
  /** Below `/api`, query included, encoded. */
  path: string;
  /** Whose token it bears. */
  bearer: Bearer;
  headers: Record<string, string>;
  body: string | null;
}

/** Texts that have broken something somewhere. */
const hostileTexts = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202Etxt.exe',
  '\uFEFF',
  'İ',
  'ﷺ'.repeat(40),
  '👩‍👩‍👧‍👦'.repeat(30),
  "' OR 1=1; --",
  '"; DROP TABLE users; --',
  '%27%20OR%201=1',
  '$1',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '=cmd|"/C calc"!A0',
  '../../../../etc/passwd',
  '..%2f..%2f',
  'file:///etc/passwd',
  'http://169.254.169.254/latest/meta-data/',
  'javascript:alert(1)',
  '__proto__',
  'constructor',
  'null',
  'undefined',
  'NaN',
  '-0',
  '1e309',
  '9'.repeat(400),
  '00000000-0000-0000-0000-000000000000',
  'a@b.c\r\nBcc: x@y.z',
  'x'.repeat(5_000),
  '\\',
  '%',
  '%%',
  '_',
];

const hostileNumbers = [
  0,
  -1,
  0.1,
  0.001,
  1e-7,
  1e21,
  1e308,
  -1e308,
  2 ** 31,
  2 ** 53,
  2 ** 63,
  5_000_000.01,
];

const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...hostileTexts),
  fc.constantFrom<unknown>(...hostileNumbers, null, true, false, [], {}, [[]], { $ne: null }, { length: -1 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.double(),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Mostly as usual, now and then something else. */
function rarely<Value>(other: fc.Arbitrary<Value>, usual: Value): fc.Arbitrary<Value> {
  return fc.oneof({ weight: 14, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: other });
}

/** Texts that fit a field by its name, so that an input gets past the first check and deeper in. */
export type Fitting = Readonly<Record<string, readonly unknown[]>>;

function inputOf(shape: Shape, field: string, fitting: Fitting): fc.Arbitrary<unknown> {
  const good = fitting[field] ?? [];
  const choices: fc.WeightedArbitrary<unknown>[] = [{ weight: 2, arbitrary: hostile }];
  if (good.length > 0) choices.push({ weight: 8, arbitrary: fc.constantFrom(...good) });
  if (shape.enum !== undefined) choices.push({ weight: 6, arbitrary: fc.constantFrom(...shape.enum) });
  for (const option of shape.anyOf ?? []) {
    choices.push({ weight: 2, arbitrary: inputOf(option, field, fitting) });
  }
  if (shape.properties !== undefined) choices.push({ weight: 8, arbitrary: objectOf(shape, fitting) });
  const types = [shape.type].flat();
  if (types.includes('string')) {
    const maxLength = shape.maxLength ?? 40;
    choices.push(
      { weight: 2, arbitrary: fc.string({ minLength: 1, maxLength: Math.min(maxLength, 60) }) },
      // Exactly as long as allowed, and one more.
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

/** An object whose fields are right, wrong or missing, with strangers among them now and then. */
function objectOf(shape: Shape, fitting: Fitting): fc.Arbitrary<Record<string, unknown>> {
  const fields = Object.entries(shape.properties ?? {}).map(([field, inner]) => {
    return [field, fc.option(inputOf(inner, field, fitting), { freq: 8, nil: undefined })] as const;
  });
  const strangers = fc.dictionary(
    fc.constantFrom('role', '_id', 'paid', 'constructor', 'toString', 'x'),
    hostile,
    {
      maxKeys: 2,
    },
  );
  return fc
    .tuple(fc.record(Object.fromEntries(fields)), rarely(strangers, {}))
    .map(([known, more]) => ({ ...more, ...known }));
}

const textOf = (value: unknown) =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined');
const encoded = (value: unknown) => encodeURIComponent(textOf(value).toWellFormed());

/** A path with its parameters filled in, some of them so that the address itself is broken. */
function pathOf(endpoint: Endpoint, fitting: Fitting): fc.Arbitrary<string> {
  const { properties = {} } = shapeOf(endpoint.params);
  const values = Object.entries(properties).map(
    ([name, shape]) => [name, inputOf(shape, name, fitting)] as const,
  );
  const broken = fc.constantFrom<string>('%', '%zz', '%ff', '..', '.', ';', '%2e%2e%2f', 'a/b');
  return fc
    .tuple(fc.record(Object.fromEntries(values)), rarely<string | null>(broken, null))
    .map(([given, wrong]) =>
      endpoint.path.replace(/:(\w+)/g, (_, name: string) => wrong ?? (encoded(Object(given)[name]) || '%20')),
    );
}

function queryOf(endpoint: Endpoint, fitting: Fitting): fc.Arbitrary<string> {
  const shape = shapeOf(endpoint.query);
  const strangers = fc.constantFrom(
    '',
    '',
    '',
    '?x=1',
    '?__proto__[x]=1',
    '?limit=1&limit=2',
    '?%00=%00',
    '?&&==&',
  );
  if (shape.properties === undefined) return strangers;
  const asked = objectOf(shape, fitting).map((query) => {
    const parts = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [`${encoded(name)}=${encoded(value)}`],
    );
    return parts.length === 0 ? '' : `?${parts.join('&')}`;
  });
  return fc.oneof({ weight: 8, arbitrary: asked }, { weight: 1, arbitrary: strangers });
}

const types = [
  'application/json',
  'application/json; charset=utf-16',
  'text/plain',
  'application/xml',
  'x',
  '',
];

/** A body as text: an object of the schema, some other JSON, or text that is none. */
function bodyOf(endpoint: Endpoint, fitting: Fitting): fc.Arbitrary<Pick<Attempt, 'body' | 'headers'>> {
  const shape = shapeOf(endpoint.body);
  const stray = fc.constantFrom<string | null>(null, null, null, '{}', 'null');
  if (shape.properties === undefined) {
    return endpoint.method === 'GET'
      ? fc.constant({ body: null, headers: {} })
      : stray.map((body) => ({ body, headers: body === null ? {} : { 'content-type': 'application/json' } }));
  }
  const json = objectOf(shape, fitting).map((value) => JSON.stringify(value));
  const text = fc.oneof(
    { weight: 14, arbitrary: json },
    { weight: 2, arbitrary: hostile.map((value) => JSON.stringify(value) ?? '') },
    // Cut off in the middle.
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
    { weight: 1, arbitrary: fc.constantFrom(...types) },
  );
  return fc
    .tuple(text, type)
    .map(([body, contentType]) => ({ body, headers: { 'content-type': contentType } }));
}

const strangeHeaders: readonly Record<string, string>[] = [
  { accept: 'image/png' },
  { 'x-forwarded-for': "127.0.0.1' --" },
  { 'x-http-method-override': 'DELETE' },
  { 'if-none-match': '*' },
  { 'if-none-match': `W/"${'x'.repeat(500)}"` },
  { range: 'bytes=0-1,5-' },
  { 'accept-encoding': 'br;q=x, *;q=0' },
  { cookie: '__proto__=1; identity.session_token=x' },
  { origin: 'null' },
];

/** Everybody who may try a call; most attempts are made by somebody whom it is for. */
const bearers = ['nobody', 'forged', 'identity', 'Buyer', 'Seller', 'Admin'] as const;
export type Bearer = (typeof bearers)[number];

function bearerOf({ access }: Endpoint): fc.Arbitrary<Bearer> {
  const entitled: readonly Bearer[] =
    access === 'identity' ? ['identity'] : typeof access === 'string' ? ['Buyer', 'Seller'] : access;
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...entitled) },
    { weight: 1, arbitrary: fc.constantFrom(...bearers) },
  );
}

/** Attempts at one call: wrong, hostile and half-right. */
export function attemptsAt(name: string, endpoint: Endpoint, fitting: Fitting): fc.Arbitrary<Attempt> {
  return fc
    .record({
      path: pathOf(endpoint, fitting),
      query: queryOf(endpoint, fitting),
      content: bodyOf(endpoint, fitting),
      bearer: bearerOf(endpoint),
      strange: rarely<Readonly<Record<string, string>>>(fc.constantFrom(...strangeHeaders), {}),
    })
    .map(({ path, query, content, bearer, strange }) => ({
      name,
      method: endpoint.method,
      path: `${path}${query}`,
      bearer,
      headers: { ...content.headers, ...strange },
      body: content.body,
    }));
}
