import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { NewLaptop } from '#contract/listings/catalogue.ts';
import { MAXIMUM_PHOTO_BYTES } from '#contract/listings/photos.ts';
import {
  brandChoices,
  emptyValues,
  type FormValues,
  formPathOf,
  parsePrice,
  toNewLaptop,
  validationErrors,
} from './form-values.ts';

const now = new Date(2026, 10, 20, 9, 5);
const photo = new File(['photo'], 'laptop.jpg', { type: 'image/jpeg' });

function formValues(given: Partial<FormValues> = {}): FormValues {
  return {
    ...emptyValues,
    category_Id: 'HP',
    name: 'EliteBook 840 G8',
    original_price: '1,249',
    resale_price: '$549.99',
    useTime: '2 years',
    location: 'Leeds',
    number: '+44 113 496 0000',
    photo: [photo],
    description: 'Used in an office.',
    ...given,
  };
}

describe('toNewLaptop', () => {
  it('returns a valid body with prices as numbers and the local time of listing', () => {
    const body = toNewLaptop(formValues(), ['https://host/photo.webp'], now);
    expect(z.safeParse(NewLaptop, body).error).toBeUndefined();
    expect(body).toMatchObject({
      original_price: 1249,
      resale_price: 549.99,
      mobile_number: '+44 113 496 0000',
      use_time: '2 years',
      image: 'https://host/photo.webp',
      condition: 'Excellent',
      posted_time: expect.stringMatching(/^Nov 20, 2026, 9:05\sAM$/),
    });
  });

  it('lists a photo once that was uploaded from two files', () => {
    const body = toNewLaptop(formValues({ photo: [photo, photo, photo] }), ['a', 'a', 'b'], now);
    expect(body).toMatchObject({ image: 'a', images: ['a', 'b'] });
  });

  it('keeps the order of photos and uses the first as the image', () => {
    const body = toNewLaptop(formValues({ photo: [photo, photo, photo] }), ['b', 'a', 'c'], now);
    expect(z.safeParse(NewLaptop, body).error).toBeUndefined();
    expect(body).toMatchObject({ image: 'b', images: ['b', 'a', 'c'] });
  });

  it('returns the description as text without a configuration', () => {
    expect(toNewLaptop(formValues(), ['x'], now).description).toBe('Used in an office.');
  });

  it('returns the filled configuration fields with the description as Notes', () => {
    const given = formValues({ Processor: ' Core i5 ', Memory: '16 GB', Storage: '  ' });
    expect(toNewLaptop(given, ['x'], now).description).toEqual({
      Processor: 'Core i5',
      Memory: '16 GB',
      Notes: 'Used in an office.',
    });
  });
});

describe('validationErrors', () => {
  it('is empty for valid values', () => {
    expect(validationErrors(formValues(), true)).toEqual({});
  });

  it('has the messages of the specification for an empty form', () => {
    expect(validationErrors({ ...emptyValues, category_Id: 'HP' }, true)).toEqual({
      name: 'Product Name is required',
      original_price: 'Original Price is required',
      resale_price: 'Resale Price is required',
      useTime: 'Use time is required',
      location: 'Location is required',
      number: 'Mobile Number is required',
      photo: 'Product photo is required',
      description: 'Product description is required',
    });
  });

  it('rejects a blank description, even with a configuration', () => {
    expect(validationErrors(formValues({ description: ' \n ', Processor: 'Core i5' }), true)).toEqual({
      description: 'Product description is required',
    });
  });

  it.each(['cheap', '12.345', '1e3', '1,2'])('rejects the price %s', (typed) => {
    expect(validationErrors(formValues({ resale_price: typed }), true)).toEqual({
      resale_price: 'A price is in dollars, with at most two decimals, such as 549.99',
    });
  });

  it('rejects a price that is not above $0', () => {
    expect(validationErrors(formValues({ resale_price: '-5' }), true)).toEqual({
      resale_price: 'A price must be more than $0',
    });
  });

  it('rejects a resale price above the original price', () => {
    expect(validationErrors(formValues({ resale_price: '1300' }), true)).toEqual({
      resale_price: 'The Resale Price cannot be above the Original Price',
    });
  });

  it('reports an invalid configuration field at that field', () => {
    expect(validationErrors(formValues({ Display: 'x'.repeat(121) }), true)).toHaveProperty('Display');
    expect(validationErrors(formValues({ Display: 'x'.repeat(121) }), true)).not.toHaveProperty(
      'description',
    );
  });

  it('rejects a ninth photo', () => {
    const photos = (count: number) => Array.from({ length: count }, () => photo);
    expect(validationErrors(formValues({ photo: photos(8) }), true)).toEqual({});
    expect(validationErrors(formValues({ photo: photos(9) }), true)).toEqual({
      photo: 'A laptop can have up to 8 photos',
    });
  });

  it('rejects a photo too large for the built-in host, but for no other host', () => {
    const large = new File([new Uint8Array(MAXIMUM_PHOTO_BYTES + 1)], 'large.jpg');
    expect(validationErrors(formValues({ photo: [large] }), true)).toHaveProperty('photo');
    expect(validationErrors(formValues({ photo: [large] }), false)).toEqual({});
  });
});

describe('formPathOf', () => {
  it.each([
    ['use_time', 'useTime'],
    ['mobile_number', 'number'],
    ['image', 'photo'],
    ['images.2', 'photo'],
    ['description.Processor', 'description.Processor'],
    ['resale_price', 'resale_price'],
  ])('maps %s to %s', (path, field) => {
    expect(formPathOf(path)).toBe(field);
  });
});

it('parses prices with blanks, dollar sign and thousands separators', () => {
  expect(['', ' 549.9 ', '$1,249.50', '$ 80'].map(parsePrice)).toEqual(['', 549.9, 1249.5, 80]);
});

it('offers the brands in the order of the shop, and the laptop’s own hidden one', () => {
  const brands = ['HP', 'Dell', 'Acer'].map((category_Id) => ({ category_Id }));
  expect(brandChoices(brands)).toEqual(['HP', 'Dell', 'Acer']);
  expect(brandChoices(brands, 'Dell')).toEqual(['HP', 'Dell', 'Acer']);
  expect(brandChoices(brands, 'Sony')).toEqual(['HP', 'Dell', 'Acer', 'Sony']);
});
