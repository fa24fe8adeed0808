// The API reference is rendered without a package: see docs/decisions/0016-own-api-reference.md.

import { Html, html } from './html.ts';
import type { OpenApiDocument, Operation } from './openapi.ts';
import type { JsonSchema } from './openapi-schemas.ts';

const empty = html``;

function join(values: Html[], separator: string): Html[] {
  return values.flatMap((value, index) => (index === 0 ? [value] : [html`${separator}`, value]));
}

const codeList = (values: string[]): Html =>
  html`${join(
    values.map((value) => html`<code>${value}</code>`),
    ', ',
  )}`;

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Describes the limits of a schema, in parentheses. */
function describeLimits({ minimum, maximum, minLength, maxLength, format }: JsonSchema): string {
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

/** Renders the type of a value. Named schemas become links. */
function renderType(schema: JsonSchema): Html {
  const { $ref, type, items, anyOf, additionalProperties } = schema;
  if ($ref !== undefined) {
    const name = $ref.split('/').at(-1) ?? '';
    return html`<a href="#schema-${name}">${name}</a>`;
  }
  if (Array.isArray(schema.enum)) return codeList(schema.enum.map((value) => JSON.stringify(value)));
  if (Array.isArray(anyOf)) return html`${join(anyOf.filter(isSchema).map(renderType), ' or ')}`;
  if (type === 'array' && isSchema(items)) return html`array of ${renderType(items)}`;
  if (type === 'object' && isSchema(additionalProperties)) {
    return html`object of ${renderType(additionalProperties)} by name`;
  }
  if (schema.properties !== undefined) {
    const inner = Object.entries(schema.properties).map(
      ([name, field]) => html`<code>${name}</code>: ${renderType(field)}`,
    );
    return html`object of ${join(inner, ', ')}`;
  }
  if ('const' in schema) return codeList([JSON.stringify(schema.const)]);
  return html`${`${String(type ?? 'anything')}${describeLimits(schema)}`}`;
}

function renderTable(label: string, head: string[], rows: Html[][]): Html {
  return html`<div class="scroll" role="region" tabindex="0" aria-label="${label}"><table>
<thead><tr>${head.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead>
<tbody>${rows.map(
    ([first = empty, ...others]) =>
      html`<tr><th scope="row">${first}</th>${others.map((cell) => html`<td>${cell}</td>`)}</tr>`,
  )}</tbody></table></div>`;
}

function renderFields(label: string, { properties = {}, required = [] }: JsonSchema): Html {
  const rows = Object.entries(properties).map(([name, schema]) => [
    html`<code>${name}</code>`,
    renderType(schema),
    html`${required.includes(name) ? 'always' : 'optional'}`,
  ]);
  return renderTable(label, ['Field', 'Type', 'Present'], rows);
}

/** Renders a request or response body: its fields, or its type. */
function renderBody(title: string, label: string, schema: JsonSchema): Html {
  const inner =
    schema.properties === undefined
      ? html`<p>${renderType(schema)}</p>`
      : renderFields(`${title} of ${label}`, schema);
  return html`<h4>${title}</h4>${inner}`;
}

/** The refusal codes that a response schema lists. */
function codesOf({ allOf }: JsonSchema): string[] {
  const parts = Array.isArray(allOf) ? allOf.filter(isSchema) : [];
  return parts.flatMap(({ properties }) => {
    const codes = properties?.code?.enum;
    return Array.isArray(codes) ? codes.map(String) : [];
  });
}

function renderCall(path: string, method: string, operation: Operation): Html {
  const { operationId, summary, description, parameters, requestBody, responses } = operation;
  const label = `${method.toUpperCase()} ${path}`;
  const { 200: success, ...problems } = responses;
  const body = requestBody?.content['application/json']?.schema;
  const answer = success?.content['application/json']?.schema;
  return html`<article id="${operationId}" aria-labelledby="${operationId}-name">
<h3 id="${operationId}-name"><span class="method ${method}">${method.toUpperCase()}</span> <a href="#${operationId}"><code>/api${path}</code></a></h3>
<p>${summary}.</p>
<p class="quiet">${description}</p>
${
  parameters.length === 0
    ? empty
    : html`<h4>Parameters</h4>${renderTable(
        `Parameters of ${label}`,
        ['Name', 'In', 'Type', 'Present'],
        parameters.map(({ name, in: location, schema, required }) => [
          html`<code>${name}</code>`,
          html`${location}`,
          renderType(schema),
          html`${required ? 'always' : 'optional'}`,
        ]),
      )}`
}
${body === undefined ? empty : renderBody('Body', label, body)}
${answer === undefined ? empty : renderBody('Answer', label, answer)}
<h4>Refusals</h4>
${renderTable(
  `Refusals of ${label}`,
  ['Status', 'Meaning', 'Codes'],
  Object.entries(problems).map(([status, response]) => [
    html`${status}`,
    html`${response.description}`,
    codeList(Object.values(response.content).flatMap(({ schema }) => codesOf(schema))),
  ]),
)}
</article>`;
}

/** Renders the API reference as one page without scripts, grouped by tag. @param style the style sheet */
export function renderDocsPage(
  { info, tags, paths, components }: OpenApiDocument,
  { style, shopName }: { style: string; shopName: string },
): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const groups = tags.map((tag) => ({
    ...tag,
    calls: operations.filter(({ operation }) => operation.tags.includes(tag.name)),
  }));
  const schemas = Object.entries(components.schemas).sort(([one], [other]) => one.localeCompare(other));
  const prose = (text: string) =>
    text.split('`').map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`));

  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${info.title}</title>
<meta name="description" content="Every call of this shop: access, parameters, response and refusals.">
<link rel="icon" href="data:,">
<style>${new Html(style)}</style>
</head>
<body>
<a class="skip" href="#calls">Skip to the calls</a>
<header>
<p><a href="/">${shopName}</a></p>
<h1>${info.title}</h1>
<p>${prose(info.description)}</p>
<p>For programs: <a href="/api/docs/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
</header>
<div class="columns">
<nav aria-label="Calls">
${groups.map(
  ({ name, calls }) => html`<h2><a href="#tag-${name}">${name}</a></h2>
<ul>${calls.map(
    ({ operation: { operationId } }) => html`<li><a href="#${operationId}">${operationId}</a></li>`,
  )}</ul>`,
)}
<h2><a href="#schemas">schemas</a></h2>
</nav>
<main id="calls">
${Object.entries(components.securitySchemes).map(
  ([name, { description }]) => html`<p><strong>${name}</strong>: ${prose(description)}</p>`,
)}
${groups.map(
  ({ name, description, calls }) => html`<section aria-labelledby="tag-${name}">
<h2 id="tag-${name}">${description}</h2>
${calls.map(({ path, method, operation }) => renderCall(path, method, operation))}
</section>`,
)}
<section aria-labelledby="schemas">
<h2 id="schemas">Schemas</h2>
${schemas.map(
  ([name, schema]) => html`<article id="schema-${name}" aria-labelledby="schema-${name}-name">
<h3 id="schema-${name}-name">${name}</h3>
${schema.properties === undefined ? html`<p>${renderType(schema)}</p>` : renderFields(name, schema)}
</article>`,
)}
</section>
</main>
</div>
</body>
</html>
`.text;
}
