import * as z from 'zod/mini';

/** Body lengths in characters, slightly below the limits of the API (1 MB) and of the identity provider (16 kB). */
export const LARGEST = 1_000_000;
export const LARGEST_AT_IDENTITY = 15_000;

/** Length that is sent first: quadratic time is measurable here, and would not finish with a megabyte. */
export const SHORT = 15_000;

/** The start, the repeated part and the end of a string. */
export const stringShapes: readonly (readonly [string, string, string])[] = [
  ['', 'a', ''],
  ['', 'a.', '@'],
  ['a@', '.', '@'],
  ['', '@', ''],
  ['', 'a@a.a ', ''],
  ['x', ' ', 'x'],
  ['', '-', ''],
  ['+', '0', 'x'],
];

/** The same for arrays, as JSON. */
const structures: readonly (readonly [string, string, string])[] = [
  ['[', '0,', '0]'],
  ['[', '{},', '{}]'],
];

export const fillString = ([start, part, end]: readonly [string, string, string], length: number) =>
  start + part.repeat(Math.floor((length - start.length - end.length) / part.length)) + end;

export const valuesOf = (length: number): string[] => [
  ...stringShapes.map((shape) => JSON.stringify(fillString(shape, length))),
  ...(length > SHORT ? structures.map((structure) => fillString(structure, length)) : []),
];

const Shape = z.looseObject({
  properties: z.optional(z.record(z.string(), z.unknown())),
  anyOf: z.optional(z.array(z.unknown())),
});

/** Lists the paths of all fields that a schema reads, nested ones included. */
export function fieldsOf(schema: z.ZodMiniType): string[][] {
  const walk = (shape: unknown): string[][] => {
    const { properties = {}, anyOf = [] } = Shape.parse(shape);
    const inner = Object.entries(properties).flatMap(([name, each]) =>
      [[], ...walk(each)].map((path) => [name, ...path]),
    );
    return [...inner, ...anyOf.flatMap(walk)];
  };
  return walk(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
}

/** Returns a body with one field. @param value as JSON */
export const bodyWith = (path: readonly string[], value: string): string =>
  path.reduceRight((inner, name) => `{${JSON.stringify(name)}:${inner}}`, value);
