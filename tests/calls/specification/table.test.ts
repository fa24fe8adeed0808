import { expect, test } from 'vitest';
import { calls } from '#contract/calls.ts';
import type { Access } from '#contract/platform/endpoint.ts';

test('the contract has every row of the table with the specified access', () => {
  const table: Record<string, Access> = {
    'GET /users/admin/{email}': 'signed-in',
    'GET /users/buyer/{email}': 'signed-in',
    'GET /users/seller/{email}': 'signed-in',
    'GET /jwt': 'identity',
    'POST /users': 'identity',
    'GET /brands': 'public',
    'GET /category/{id}': 'public',
    'GET /sellers/{email}': 'signed-in',
    'GET /sellers': ['Admin'],
    'PUT /sellers/{email}': ['Admin'],
    'DELETE /sellers/{id}': ['Admin'],
    'GET /buyers': ['Admin'],
    'DELETE /buyers/{id}': ['Admin'],
    'POST /laptops': ['Seller'],
    'GET /bookings': 'signed-in',
    'GET /bookings/{id}': 'signed-in',
    'POST /bookings': 'signed-in',
    'GET /myProducts': ['Seller'],
    'DELETE /myProducts/{id}': ['Seller'],
    'PUT /advertisement/{id}': ['Seller'],
    'GET /advertisement': 'public',
    'GET /wishlists': 'signed-in',
    'GET /wishlists/{id}': 'signed-in',
    'POST /wishlists': ['Buyer'],
    'POST /create-payment-intent': ['Buyer'],
    'POST /payments': ['Buyer'],
  };
  const contracted = [...calls.values()].map(({ method, path, access }): [string, Access] => [
    `${method} ${path.replace(/:_?(\w+)/, '{$1}')}`,
    access,
  ]);
  expect(Object.fromEntries(contracted)).toMatchObject(table);
});
