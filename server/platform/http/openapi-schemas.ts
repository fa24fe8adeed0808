import * as z from 'zod/mini';
import { contractModules } from '#contract/calls.ts';
import * as machine from '#contract/certification/machine.ts';
import * as refusals from '#contract/platform/refusals.ts';
import * as scalars from '#contract/platform/scalars.ts';

/** A JSON Schema 2020-12, as in OpenAPI 3.1. Declares only the keywords that are read here. */
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

/** The names of exported schemas, which become components. All others are inlined. */
const names = z.registry<{ id: string }>();
for (const exported of [scalars, refusals, machine, ...contractModules.values()]) {
  for (const [id, value] of Object.entries(exported)) if (isSchema(value)) names.add(value, { id });
}

/**
 * Creates a function that converts contract schemas to JSON Schema.
 * @param components collects the named schemas that are referenced
 */
export function createSchemaConverter(components: Record<string, JsonSchema>) {
  /** @param io `input` for requests, `output` for responses */
  return (schema: z.ZodMiniType, io: 'input' | 'output'): JsonSchema => {
    const generated = z.toJSONSchema(schema, { io, metadata: names, unrepresentable: 'any' });
    const converted: unknown = JSON.parse(JSON.stringify(generated), (key, value: unknown) => {
      if (key === '$ref' && typeof value === 'string')
        return value.replace('#/$defs/', '#/components/schemas/');
      // Every integer has these bounds.
      if (typeof value === 'number' && Math.abs(value) === Number.MAX_SAFE_INTEGER) return undefined;
      // Responses may gain fields later, which clients must ignore.
      return key === 'additionalProperties' && value === false ? undefined : value;
    });
    const { $schema: _, $defs = {}, ...own } = WithDefinitions.parse(converted);
    Object.assign(components, $defs);
    return JsonSchema.parse(own);
  };
}
