import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { calls } from '#contract/calls.ts';
import { refusals } from '#contract/refusals.ts';
import { openApiDocument } from './openapi.ts';

const document = openApiDocument('https://shop.example');
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
const byId = (id: string) => operations.find((operation) => operation.operationId === id);

test('the description is OpenAPI 3.1 by the schema of its makers', async () => {
  const validated = await new Validator().validate(JSON.parse(JSON.stringify(document)));
  expect(validated).toMatchObject({ valid: true });
});

test('every call of the contract is described, at its path and by its method', () => {
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => `${method} ${path} ${operationId}`),
  );
  const stated = [...calls].map(
    ([name, { method, path }]) => `${method.toLowerCase()} ${path.replace(/:(\w+)/g, '{$1}')} ${name}`,
  );
  expect(described.toSorted()).toEqual(stated.toSorted());
});

test('every schema that is mentioned is there', () => {
  const mentioned = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)];
  expect(mentioned.length).toBeGreaterThan(calls.size);
  const missing = mentioned
    .map(([, name = '']) => name)
    .filter((name) => !(name in document.components.schemas));
  expect(missing).toEqual([]);
});

test('who may make a call stands in its security, roles included', () => {
  expect(byId('listBrands')?.security).toEqual([{}, { shopToken: [] }]);
  expect(byId('exchangeToken')?.security).toEqual([{ identityToken: [] }]);
  expect(byId('book')?.security).toEqual([{ shopToken: [] }]);
  expect(byId('listSellers')?.security).toEqual([{ shopToken: ['Admin'] }]);
});

test('parameters, body and answer are the contract’s', () => {
  expect(
    byId('listCategory')?.parameters.map((parameter) => [parameter.name, parameter.in, parameter.required]),
  ).toEqual([
    ['id', 'path', true],
    ['limit', 'query', false],
    ['cursor', 'query', false],
  ]);
  expect(byId('listLaptop')?.requestBody?.content['application/json']?.schema).toEqual({
    $ref: '#/components/schemas/NewLaptop',
  });
  expect(document.components.schemas.NewLaptop?.required).toContain('resale_price');
  expect(document.components.schemas.NewLaptop?.required).not.toContain('posted_time');
  expect(byId('listCategory')?.responses['200']).toMatchObject({
    headers: { Link: {} },
    content: {
      'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/Laptop' } } },
    },
  });
});

test('a refusal that a call names is one of its answers, as a problem document', () => {
  for (const [name, endpoint] of calls) {
    for (const code of endpoint.refusals) {
      const response = byId(name)?.responses[String(refusals[code].status)];
      expect(JSON.stringify(response?.content['application/problem+json']), `${name} ${code}`).toContain(
        `"${code}"`,
      );
    }
  }
});
