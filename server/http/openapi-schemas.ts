import * as z from 'zod/mini';
import { rooms } from '#contract/calls.ts';
import * as refusals from '#contract/refusals.ts';
import * as scalars from '#contract/scalars.ts';

/** A schema of JSON Schema 2020-12, as OpenAPI 3.1 takes it: only what is read here has a name. */
export interface JsonSchema {
  [keyword: string]: unknown;
  $ref?: string | undefined;
  type?: string | string[] | undefined;
  properties?: Record<string, JsonSchema> | undefined;
  required?: string[] | undefined;
}

const JsonSchema: z.ZodMiniType<JsonSchema> = z.looseObject({
  $ref: z.optional(z.string()),
  type: z.optional(z.union([z.string(), z.array(z.string())])),
  properties: z.optional(
    z.record(
      z.string(),
      z.lazy(() => JsonSchema),
    ),
  ),
  required: z.optional(z.array(z.string())),
});

const WithDefinitions = z.looseObject({
  $schema: z.optional(z.string()),
  $defs: z.optional(z.record(z.string(), JsonSchema)),
});

function isSchema(value: unknown): value is z.ZodMiniType {
  return typeof value === 'object' && value !== null && '_zod' in value;
}

/** Schemas that the contract exports keep their names; what is only part of another is written out in place. */
const names = z.registry<{ id: string }>();
for (const room of [scalars, refusals, ...rooms.values()]) {
  for (const [id, value] of Object.entries(room)) if (isSchema(value)) names.add(value, { id });
}

/**
 * Says contract schemas in JSON Schema, and collects the named ones that they mention.
 * @param components the named schemas, to which more are added
 */
export function createSchemaWriter(components: Record<string, JsonSchema>) {
  /** @param io what is sent (`input`) or what comes back (`output`) */
  return (schema: z.ZodMiniType, io: 'input' | 'output'): JsonSchema => {
    const written = z.toJSONSchema(schema, { io, metadata: names, unrepresentable: 'any' });
    const inPlace: unknown = JSON.parse(JSON.stringify(written), (key, value: unknown) => {
      if (key === '$ref' && typeof value === 'string')
        return value.replace('#/$defs/', '#/components/schemas/');
      // An answer may gain fields in time; a reader who refuses them would break.
      return key === 'additionalProperties' && value === false ? undefined : value;
    });
    const { $schema: _, $defs = {}, ...own } = WithDefinitions.parse(inPlace);
    Object.assign(components, $defs);
    return JsonSchema.parse(own);
  };
}
