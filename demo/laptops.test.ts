import { expect, it } from 'vitest';
import { NewLaptop } from '#contract/listings/catalogue.ts';
import { factFields, readFacts } from '#contract/listings/facts.ts';
import { factOfField } from '#tests/harness/listings/fact-of-field.ts';
import { demoSellers } from './accounts.ts';
import { demoLaptops, postedTime } from './laptops.ts';
import { demoSales } from './sold-laptops.ts';

it('has 60 laptops with unique names, of three brands and all sellers, four of them advertised', () => {
  expect(new Set(demoLaptops.map(({ name }) => name)).size).toBe(60);
  expect(new Set(demoLaptops.map(({ brand }) => brand))).toEqual(new Set(['HP', 'Dell', 'Acer']));
  expect(new Set(demoLaptops.map(({ seller }) => seller))).toEqual(
    new Set(demoSellers.map(({ email }) => email)),
  );
  expect(demoLaptops.filter(({ advertised }) => advertised)).toHaveLength(4);
});

it.each(demoLaptops)('$name is a valid request body for listing a laptop', (laptop) => {
  const parsed = NewLaptop.safeParse({
    category_Id: laptop.brand,
    name: laptop.name,
    location: demoSellers[0].location,
    image: 'http://localhost/photos/any.webp',
    description: { ...laptop.configuration, Notes: laptop.notes },
    original_price: laptop.originalPrice,
    resale_price: laptop.resalePrice,
    posted_time: postedTime(laptop, new Date()),
    use_time: laptop.useTime,
    mobile_number: demoSellers[0].mobileNumber,
    condition: laptop.condition,
  });
  expect(parsed.error?.issues).toBeUndefined();
  expect(laptop.name.startsWith(`${laptop.brand} `)).toBe(true);
});

it.each(demoLaptops)('each fact of the $name is understood', ({ configuration }) => {
  const facts = readFacts(configuration);
  const unread = factFields.filter(
    (field) => (configuration[field] ?? '') !== '' && facts[factOfField[field]] === undefined,
  );
  expect(unread).toEqual([]);
});

it.each(demoSales)('the sold $laptop.name shows photos of a laptop of its brand and seller', ({ laptop }) => {
  // The shop reports photos that two sellers show.
  const { brand, seller, photosOf } = laptop;
  expect(demoLaptops.find(({ name }) => name === photosOf)).toMatchObject({ brand, seller });
});

it('gives every filter several values', () => {
  const values = new Map(
    demoLaptops
      .flatMap(({ configuration }) => Object.entries(readFacts(configuration)))
      .map(([fact, value]) => [`${fact} ${value}`, fact]),
  );
  const counts = Object.groupBy(values.values(), (fact) => fact);
  for (const [fact, found = []] of Object.entries(counts)) {
    expect(found.length, fact).toBeGreaterThanOrEqual(4);
  }
});

it('formats the listing times as a browser does, in ascending order', () => {
  const now = new Date(2026, 10, 20, 12);
  const times = demoLaptops.map((laptop) => postedTime(laptop, now));
  expect(times.at(-1)).toBe('11/19/2026, 4:20:44 PM');
  const timestamps = times.map((time) => Date.parse(time));
  expect(timestamps).toEqual(timestamps.toSorted((one, other) => one - other));
});
