import type * as z from 'zod/mini';
import { type ChangedLaptop, changeLaptop, readOwnLaptop } from '#contract/listings/catalogue.ts';
import type { Person } from '../people/person.ts';

type Change = z.input<typeof ChangedLaptop>;

/** Reads a laptop as the form that changes it does. @returns the unchanged content of the form */
export async function readForm({ client }: Pick<Person, 'client'>, _id: string): Promise<Change> {
  const own = await client.call(readOwnLaptop, { params: { _id } });
  return {
    version: own.version,
    category_Id: own.category_Id,
    name: own.name,
    location: own.location,
    image: own.image,
    images: own.images,
    description: own.description,
    original_price: own.original_price,
    resale_price: own.resale_price,
    use_time: own.use_time,
    mobile_number: own.mobile_number ?? '',
    condition: own.condition,
  };
}

/** Changes a seller's laptop as the form does. */
export async function changeListing(
  seller: Pick<Person, 'client'>,
  _id: string,
  changes: Partial<Change>,
): Promise<{ modifiedCount: number }> {
  const body = { ...(await readForm(seller, _id)), ...changes };
  return seller.client.call(changeLaptop, { params: { _id }, body });
}
