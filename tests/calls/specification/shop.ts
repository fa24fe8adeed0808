import { expect } from 'vitest';
import * as z from 'zod/mini';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';

// Tests the specification's table of calls row by row, in plain HTTP: a change of the contract must not change these
// tests.

/** Matches any string. */
export const anyText: unknown = expect.any(String);

/** Sends a request such as `GET /brands`. @returns the JSON body of the response, whose status must be 200 */
export type Send = (row: string, token: string | null, body?: unknown) => Promise<unknown>;

/** A shop with one user of each role. */
export interface SpecificationShop {
  shop: TestShop;
  people: Record<'buyer' | 'seller' | 'admin', Person>;
  send: Send;
}

/** Starts a shop with one user of each role. @param photoKey the image host's key; without it there is none */
export async function startSpecificationShop(photoKey?: string): Promise<SpecificationShop> {
  const shop = await startTestShop(photoKey === undefined ? {} : { photoKey });
  const people = {
    buyer: await shop.buyer('Bea Buyer'),
    seller: await shop.seller('Sam Seller'),
    admin: await shop.admin(),
  };
  const send: Send = async (row, token, body) => {
    const [method = '', path = ''] = row.split(' ');
    const response = await fetch(`${shop.origin}/api${path}`, {
      method,
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json();
    expect(response.status, `${row}: ${JSON.stringify(answer)}`).toBe(200);
    return answer;
  };
  return { shop, people, send };
}

const Inserted = z.object({ insertedId: z.string() });

/** Returns the `insertedId` of a response. */
export const insertedId = (answer: unknown) => z.parse(Inserted, answer).insertedId;

/** Finds the item with an id in a returned list. */
export function findById(list: unknown, id: string): unknown {
  return z.parse(z.array(z.looseObject({ _id: z.string() })), list).find(({ _id }) => _id === id);
}
