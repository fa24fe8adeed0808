import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { calls } from '#contract/calls.ts';
import { refusals } from '#contract/platform/refusals.ts';
import { openApiDocument } from './openapi.ts';

const document = openApiDocument('https://shop.example', 'Coomercio');
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
const byId = (id: string) => operations.find((operation) => operation.operationId === id);

test('the document is valid by the official OpenAPI 3.1 schema', async () => {
  const validated = await new Validator().validate(JSON.parse(JSON.stringify(document)));
  expect(validated).toMatchObject({ valid: true });
});

test('contains every call of the contract with its path and method', () => {
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => `${method} ${path} ${operationId}`),
  );
  const stated = [...calls].map(
    ([name, { method, path }]) => `${method.toLowerCase()} ${path.replace(/:(\w+)/g, '{$1}')} ${name}`,
  );
  expect(described.toSorted()).toEqual(stated.toSorted());
});

test('contains every referenced schema', () => {
  const mentioned = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)];
  expect(mentioned.length).toBeGreaterThan(calls.size);
  const missing = mentioned
    .map(([, name = '']) => name)
    .filter((name) => !(name in document.components.schemas));
  expect(missing).toEqual([]);
});

test('access and roles are in the security requirements', () => {
  expect(byId('listBrands')?.security).toEqual([{}, { shopToken: [] }]);
  expect(byId('exchangeToken')?.security).toEqual([{ identityToken: [] }]);
  expect(byId('book')?.security).toEqual([{ shopToken: [] }]);
  expect(byId('listSellers')?.security).toEqual([{ shopToken: ['Admin'] }]);
  expect(byId('listSellers')?.description).toBe(
    'Users signed in as Admin: an owner, or an admin with the right People.',
  );
  expect(byId('listStaff')?.description).toBe('Users signed in as Admin: an owner.');
});

test('parameters, body and response follow the contract', () => {
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

test('each refusal of a call is a response with a problem document', () => {
  for (const [name, endpoint] of calls) {
    for (const code of endpoint.refusals) {
      const response = byId(name)?.responses[String(refusals[code].status)];
      expect(JSON.stringify(response?.content['application/problem+json']), `${name} ${code}`).toContain(
        `"${code}"`,
      );
    }
  }
});
