import { expect, test } from 'vitest';
import { defaultShopSettings, type ShopSettings } from '#contract/platform/shop-settings.ts';
import { theme } from '#contract/platform/theme.ts';
import { type FormValues, toFormValues, toSettings } from './form-values.ts';
import { orNull, readNumber } from './setting.tsx';

const own: ShopSettings = {
  ...defaultShopSettings,
  colors: { link: theme.primary },
  country: 'PT',
  shippingCountries: ['PT', 'ES'],
  smsPrefixes: ['+351'],
  commission: { basisPoints: 550, fixedCents: 100 },
  secondFactor: ['owners', 'sellers'],
  footer: [{ title: 'Help', links: [{ label: 'Write to us', url: 'mailto:shop@shop.example' }] }],
  social: [{ label: 'Mastodon', url: 'https://social.example/@shop' }],
};

test.each([defaultShopSettings, own])(
  'the form shows all settings, and changes none by itself',
  (settings) => {
    expect(toSettings(toFormValues(settings))).toEqual(settings);
  },
);

test('reads lists, links and amounts as they are typed', () => {
  const typed: FormValues = {
    ...toFormValues(defaultShopSettings),
    shippingCountries: 'PT, ES;FR',
    footer: 'Help\nWrite to us | /pages/help\n\n\nMore\nhttps://shop.example',
    leastPriceCents: '2,50',
    commission: { basisPoints: '5.5', fixedCents: 'much' },
  };
  expect(toSettings(typed)).toMatchObject({
    shippingCountries: ['PT', 'ES', 'FR'],
    footer: [
      { title: 'Help', links: [{ label: 'Write to us', url: '/pages/help' }] },
      { title: 'More', links: [{ label: 'https://shop.example', url: 'https://shop.example' }] },
    ],
    leastPriceCents: 250,
    commission: { basisPoints: 550, fixedCents: Number.NaN },
  });
});

test('reads numbers; nothing is null where it can be, else refused', () => {
  expect([readNumber('7'), readNumber(' '), readNumber('x')]).toEqual([7, Number.NaN, Number.NaN]);
  expect([orNull(' '), orNull(null), orNull('PT'), orNull('2018', readNumber)]).toEqual([
    null,
    null,
    'PT',
    2018,
  ]);
});
