import { beforeAll, expect, test } from 'vitest';
import { deleteOwnLaptop, relistLaptop } from '#contract/listings/catalogue.ts';
import { changeListing } from '#tests/harness/listings/change-listing.ts';
import { type SharedShop, sharedShop } from '#tests/harness/operations/shop.ts';
import { sampleLaptop } from '#tests/harness/people/person.ts';

let shop: SharedShop;
beforeAll(async () => {
  shop = await sharedShop();
});

test('the name of the shop stands in a listing’s notes only, or where it stood before', async () => {
  const seller = await shop.seller();
  const claim = 'Inspected by Coomercio';
  const captions = { [sampleLaptop(shop.origin).image]: claim };
  for (const [field, texts] of Object.entries({
    ...{ name: { name: claim }, location: { location: claim }, use_time: { use_time: claim } },
    ...{ posted_time: { posted_time: claim }, captions: { captions } },
    'description.Battery': { description: { Battery: claim } },
  })) {
    await expect(shop.laptop(seller, texts), field).rejects.toMatchObject({
      errors: { [field]: 'The name of this shop can stand in the notes only' },
    });
  }
  const inTown = { location: 'Coomercio, Oregon', description: { Notes: claim } };
  const laptop = await shop.laptop(seller, inTown);
  const relist = { params: { _id: laptop }, body: { posted_time: claim } };
  await seller.client.call(deleteOwnLaptop, { params: { _id: laptop } });
  await expect(seller.client.call(relistLaptop, relist)).rejects.toMatchObject({ code: 'invalid_input' });
  await seller.client.call(relistLaptop, { ...relist, body: {} });

  // The shop had another name when it was listed.
  await shop.connection.pool.query('update laptops set name = $1 where id = $2', [claim, laptop]);
  await changeListing(seller, laptop, { name: claim, resale_price: 500, ...inTown });
  await expect(changeListing(seller, laptop, { name: `${claim}!` })).rejects.toMatchObject({
    errors: { name: expect.any(String) },
  });
});
