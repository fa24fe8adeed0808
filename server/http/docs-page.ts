import { docsStyle } from './docs-style.ts';
import type { OpenApiDocument, Operation } from './openapi.ts';
import type { JsonSchema } from './openapi-schemas.ts';

/** Text that is safe as HTML and as the value of an attribute. */
class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Writes HTML; whatever is put in is escaped unless it is HTML already. */
function html(parts: TemplateStringsArray, ...values: (string | Html | Html[])[]): Html {
  const written = values.map((value) => {
    if (value instanceof Html) return value.text;
    if (Array.isArray(value)) return value.map(({ text }) => text).join('');
    return value
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;');
  });
  return new Html(String.raw({ raw: parts }, ...written));
}

const nothing = html``;

function between(values: Html[], separator: string): Html[] {
  return values.flatMap((value, index) => (index === 0 ? [value] : [html`${separator}`, value]));
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The limits that a schema sets, in words. */
function limitsOf({ minimum, maximum, minLength, maxLength, format }: JsonSchema): string {
  const range = (from: unknown, to: unknown, unit: string) => {
    const bounded = typeof to === 'number' && to < Number.MAX_SAFE_INTEGER;
    if (typeof from === 'number' && bounded) return `${from} to ${to}${unit}`;
    if (bounded) return `up to ${to}${unit}`;
    return typeof from === 'number' ? `from ${from}${unit}` : '';
  };
  const limits = [
    typeof format === 'string' ? format : '',
    range(minimum, maximum, ''),
    range(minLength, maxLength, ' characters'),
  ].filter((limit) => limit !== '');
  return limits.length === 0 ? '' : ` (${limits.join(', ')})`;
}

/** What a value looks like, with a link where a shape has a name. */
function typeOf(schema: JsonSchema): Html {
  const { $ref, type, items, anyOf, additionalProperties } = schema;
  if ($ref !== undefined) {
    const name = $ref.split('/').at(-1) ?? '';
    return html`<a href="#shape-${name}">${name}</a>`;
  }
  if (Array.isArray(schema.enum)) {
    return html`${between(
      schema.enum.map((value) => html`<code>${JSON.stringify(value)}</code>`),
      ', ',
    )}`;
  }
  if (Array.isArray(anyOf)) return html`${between(anyOf.filter(isSchema).map(typeOf), ' or ')}`;
  if (type === 'array' && isSchema(items)) return html`array of ${typeOf(items)}`;
  if (type === 'object' && isSchema(additionalProperties)) {
    return html`object of ${typeOf(additionalProperties)} by name`;
  }
  if (schema.properties !== undefined) {
    const inner = Object.entries(schema.properties).map(
      ([name, field]) => html`<code>${name}</code>: ${typeOf(field)}`,
    );
    return html`object of ${between(inner, ', ')}`;
  }
  if ('const' in schema) return html`<code>${JSON.stringify(schema.const)}</code>`;
  return html`${`${String(type ?? 'anything')}${limitsOf(schema)}`}`;
}

function table(label: string, head: string[], rows: Html[][]): Html {
  return html`<div class="scroll" role="region" tabindex="0" aria-label="${label}"><table>
<thead><tr>${head.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead>
<tbody>${rows.map(
    ([first = nothing, ...others]) =>
      html`<tr><th scope="row">${first}</th>${others.map((cell) => html`<td>${cell}</td>`)}</tr>`,
  )}</tbody></table></div>`;
}

function fields(label: string, { properties = {}, required = [] }: JsonSchema): Html {
  const rows = Object.entries(properties).map(([name, schema]) => [
    html`<code>${name}</code>`,
    typeOf(schema),
    html`${required.includes(name) ? 'always' : 'may be missing'}`,
  ]);
  return table(label, ['Field', 'Type', 'There'], rows);
}

/** A body or an answer: its fields, or the name of its shape. */
function shape(title: string, label: string, schema: JsonSchema): Html {
  const inner =
    schema.properties === undefined ? html`<p>${typeOf(schema)}</p>` : fields(`${title} of ${label}`, schema);
  return html`<h4>${title}</h4>${inner}`;
}

/** The codes that a problem document is narrowed to. */
function codesOf({ allOf }: JsonSchema): string[] {
  const parts = Array.isArray(allOf) ? allOf.filter(isSchema) : [];
  return parts.flatMap(({ properties }) => {
    const codes = properties?.code?.enum;
    return Array.isArray(codes) ? codes.map(String) : [];
  });
}

function call(path: string, method: string, operation: Operation): Html {
  const { operationId, summary, description, parameters, requestBody, responses } = operation;
  const label = `${method.toUpperCase()} ${path}`;
  const { 200: done, ...problems } = responses;
  const body = requestBody?.content['application/json']?.schema;
  const answer = done?.content['application/json']?.schema;
  return html`<article id="${operationId}" aria-labelledby="${operationId}-name">
<h3 id="${operationId}-name"><span class="method ${method}">${method.toUpperCase()}</span> <a href="#${operationId}"><code>/api${path}</code></a></h3>
<p>${summary}.</p>
<p class="quiet">${description}</p>
${
  parameters.length === 0
    ? nothing
    : html`<h4>Parameters</h4>${table(
        `Parameters of ${label}`,
        ['Name', 'In', 'Type', 'There'],
        parameters.map(({ name, in: place, schema, required }) => [
          html`<code>${name}</code>`,
          html`${place}`,
          typeOf(schema),
          html`${required ? 'always' : 'may be missing'}`,
        ]),
      )}`
}
${body === undefined ? nothing : shape('Body', label, body)}
${answer === undefined ? nothing : shape('Answer', label, answer)}
<h4>Refusals</h4>
${table(
  `Refusals of ${label}`,
  ['Status', 'Meaning', 'Codes'],
  Object.entries(problems).map(([status, response]) => [
    html`${status}`,
    html`${response.description}`,
    html`${between(
      Object.values(response.content).flatMap(({ schema }) =>
        codesOf(schema).map((code) => html`<code>${code}</code>`),
      ),
      ', ',
    )}`,
  ]),
)}
</article>`;
}

/** The description of the calls as a page that needs no script, grouped by room; the browser's search finds all of it. */
export function docsPage({ info, tags, paths, components }: OpenApiDocument): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const rooms = tags.map((tag) => ({
    ...tag,
    calls: operations.filter(({ operation }) => operation.tags.includes(tag.name)),
  }));
  const shapes = Object.entries(components.schemas).sort(([one], [other]) => one.localeCompare(other));
  const prose = (text: string) =>
    text.split('`').map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`));

  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${info.title}</title>
<meta name="description" content="Every call of this shop: who may make it, what it takes, what it answers, how it refuses.">
<link rel="icon" href="data:,">
<style>${new Html(docsStyle)}</style>
</head>
<body>
<a class="skip" href="#calls">Skip to the calls</a>
<header>
<p><a href="/">Coomercio</a></p>
<h1>${info.title}</h1>
<p>${prose(info.description)}</p>
<p>For programs: <a href="/api/docs/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
</header>
<div class="columns">
<nav aria-label="Calls">
${rooms.map(
  ({ name, calls }) => html`<h2><a href="#room-${name}">${name}</a></h2>
<ul>${calls.map(
    ({ operation: { operationId } }) => html`<li><a href="#${operationId}">${operationId}</a></li>`,
  )}</ul>`,
)}
<h2><a href="#shapes">shapes</a></h2>
</nav>
<main id="calls">
${Object.entries(components.securitySchemes).map(
  ([name, { description }]) => html`<p><strong>${name}</strong>: ${prose(description)}</p>`,
)}
${rooms.map(
  ({ name, description, calls }) => html`<section aria-labelledby="room-${name}">
<h2 id="room-${name}">${description}</h2>
${calls.map(({ path, method, operation }) => call(path, method, operation))}
</section>`,
)}
<section aria-labelledby="shapes">
<h2 id="shapes">Shapes</h2>
${shapes.map(
  ([name, schema]) => html`<article id="shape-${name}" aria-labelledby="shape-${name}-name">
<h3 id="shape-${name}-name">${name}</h3>
${schema.properties === undefined ? html`<p>${typeOf(schema)}</p>` : fields(name, schema)}
</article>`,
)}
</section>
</main>
</div>
</body>
</html>
`.text;
}
