import { expect } from 'vitest';
import * as z from 'zod/mini';
import { type Person, startTestShop, type TestShop } from '#tests/harness/shop.ts';

// For the specification's calls table, row by row: its method and path, the payload that it names, the answer that it
// reads. In raw HTTP, so that nothing follows when the contract is changed.

/** Any anyText, where what it says is nobody's affair. */
export const anyText: unknown = expect.any(String);

/** Makes a call, such as `GET /brands`, and answers what came back, once it is 200 and JSON. */
export type Send = (row: string, token: string | null, body?: unknown) => Promise<unknown>;

/** The shop's counter: who stands there, and how they are asked. */
export interface SpecificationShop {
  shop: TestShop;
  people: Record<'buyer' | 'seller' | 'admin', Person>;
  send: Send;
}

/** A shop with somebody of each role in it. @param photoKey the key of its image host, if it is to have one */
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

/** The `insertedId` of an answer. */
export const insertedId = (answer: unknown) => z.parse(Inserted, answer).insertedId;

/** The one thing with this id in an answered list. */
export function findById(list: unknown, id: string): unknown {
  return z.parse(z.array(z.looseObject({ _id: z.string() })), list).find(({ _id }) => _id === id);
}
