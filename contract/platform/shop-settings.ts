import * as z from 'zod/mini';
import { currencyCodes, defaultCurrency } from './currencies.ts';
import { type Deadlines, defaultDeadlines } from './deadlines.ts';
import { Email, isOneLine, line, listOf } from './scalars.ts';
import { type Theme, type ThemeColor, type ThemeRole, theme, unreadablePairs } from './theme.ts';

/** The roles whose colours a shop can choose. The colours of the others have a meaning, such as red for danger. */
export const chosenRoles = [
  'background',
  'surface',
  'subtle',
  'foreground',
  'muted',
  'border',
  'border-strong',
  'primary',
  'primary-hover',
  'primary-soft',
  'on-primary',
  'link',
  'accent',
  'accent-soft',
] as const satisfies readonly ThemeRole[];
export type ChosenRole = (typeof chosenRoles)[number];

/** The names of the roles in forms and in sentences about them. */
export const roleNames: Readonly<Record<ThemeRole, string>> = {
  background: 'Page',
  surface: 'Cards',
  subtle: 'Quiet areas',
  foreground: 'Text',
  muted: 'Secondary text',
  border: 'Lines',
  'border-strong': 'Borders of fields',
  primary: 'Main button',
  'primary-hover': 'Main button, pointed at',
  'primary-soft': 'Main button, pale',
  'on-primary': 'Text on the main button',
  link: 'Links',
  accent: 'Focus and marks',
  'accent-soft': 'Focus and marks, pale',
  success: 'Success',
  'success-soft': 'Success, pale',
  warning: 'Warning',
  danger: 'Danger',
  'danger-soft': 'Danger, pale',
  overlay: 'Below dialogs',
  photo: 'Behind photos',
  tint: 'Behind brands',
};

const notAColor = 'A colour is # and six hexadecimal digits, such as #6d3a9c';
const Color = z.string({ error: notAColor }).check(
  z.overwrite((value) => value.trim().toLowerCase()),
  z.regex(/^#[0-9a-f]{6}$/, { error: notAColor, abort: true }),
);

type ChosenColors = Readonly<Partial<Record<ChosenRole, ThemeColor>>>;

/** The theme of a shop: its own colours over those of a fresh shop. */
export const themeOf = ({ colors }: { colors: ChosenColors }): Theme => ({ ...theme, ...colors });

/**
 * Finds pairs of colours that cannot be read (WCAG 2.2 AA).
 * @returns a sentence without its full stop by the field of the form that has to change
 */
export function colorRefusals(colors: ChosenColors): Map<`${ChosenRole}.${'light' | 'dark'}`, string> {
  const sentences = new Map<`${ChosenRole}.${'light' | 'dark'}`, string>();
  for (const { front, behind, mode, contrast, least } of unreadablePairs(themeOf({ colors }))) {
    // A chosen colour is to blame, and of two the one in front.
    const role = [front, behind]
      .flatMap((each) => chosenRoles.filter((chosen) => chosen === each))
      .toSorted((a, b) => Number(b in colors) - Number(a in colors))[0];
    if (role === undefined || sentences.has(`${role}.${mode}`)) continue;
    // Rounded down, so that 4.49 is not shown as 4.5.
    const ratio = (Math.floor(contrast * 10) / 10).toFixed(1);
    sentences.set(
      `${role}.${mode}`,
      `“${roleNames[front]}” on “${roleNames[behind]}” has a contrast of ${ratio} in the ${mode} theme, and ${least} is needed to read it`,
    );
  }
  return sentences;
}

const Colors = z
  .partialRecord(z.enum(chosenRoles), z.object({ light: Color, dark: Color }))
  .check(({ value, issues }) => {
    for (const [field, message] of colorRefusals(value)) {
      issues.push({ code: 'custom', message, path: field.split('.'), input: value });
    }
  });

/** A trimmed line of at most `max` characters; empty for none. */
const lineOrNone = (max: number) =>
  z
    .string({ error: 'This must be a text' })
    .check(
      z.trim(),
      z.maxLength(max, { error: `At most ${max} characters, please`, abort: true }),
      z.refine(isOneLine, { error: 'This must be one line without control characters' }),
    );

export const shopPictureKinds = ['logo', 'icon', 'socialPicture'] as const;
export type ShopPictureKind = (typeof shopPictureKinds)[number];

/** The name of a stored picture below `/shop-pictures/`: a hash of its bytes and its format. */
export const ShopPictureName = z
  .string()
  .check(z.regex(/^[0-9a-f]{32}\.(webp|png|jpeg)$/, { error: 'This is not a picture of this shop' }));

export const ShopPicture = z.object({
  name: ShopPictureName,
  /** In pixels. */
  width: z.int().check(z.minimum(1), z.maximum(2000)),
  height: z.int().check(z.minimum(1), z.maximum(2000)),
});
export type ShopPicture = z.infer<typeof ShopPicture>;

const notALink = 'A link begins with https://, http://, mailto: or /';

/** A page of this shop by its path, or another one by its URL. */
const Link = z.object({
  label: line(40, 'Please write what the link is called'),
  url: line(300, notALink).check(
    z.refine((url) => /^\/(?![/\\])/.test(url) || (/^(https?|mailto):/i.test(url) && URL.canParse(url)), {
      error: notALink,
    }),
  ),
});

const links = (max: number) => listOf(max, Link, 'These must be links', `At most ${max} links, please`);

/** Whether the runtime knows a time zone. */
function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

const notATimeZone = 'A time zone is one of the IANA, such as Europe/Lisbon, or UTC';

/** A region and a place, or UTC. PostgreSQL reads offsets and abbreviations otherwise than Node. */
const TimeZone = z
  .string({ error: notATimeZone })
  .check(
    z.trim(),
    z.maxLength(60, { error: notATimeZone, abort: true }),
    z.regex(/^(UTC|[A-Za-z_]+(\/[A-Za-z0-9_+-]+)+)$/, { error: notATimeZone, abort: true }),
    z.refine(isTimeZone, { error: notATimeZone }),
  );

const wholeNumber = (least: number, largest: number, error: string) =>
  z.int({ error }).check(z.minimum(least, { error }), z.maximum(largest, { error }));

/** How long buyers and sellers have for their part of an order: the least and the most days that a shop can choose. */
export const deadlineBounds = {
  /** The money of a meeting is held for so long without a hand-over, and then released. */
  hold: [3, 30],
  /** A paid laptop is sent within so long. */
  sending: [2, 14],
  /** A buyer can complain for so long after the hand-over or the delivery. */
  looking: [3, 60],
  /** A seller answers a complaint within so long. */
  answering: [3, 14],
  /** A laptop is returned within so long. */
  returning: [7, 30],
} as const satisfies Readonly<Record<keyof Deadlines, readonly [least: number, most: number]>>;

function days(deadline: keyof Deadlines) {
  const [least, most] = deadlineBounds[deadline];
  return wholeNumber(least, most, `This is a whole number of days from ${least} to ${most}`);
}

const notACountry = 'A country is the two letters of ISO 3166, such as PT';

/** A country in ISO 3166. The server knows which of them exist. */
const Country = z.string({ error: notACountry }).check(
  z.overwrite((value) => value.trim().toUpperCase()),
  z.regex(/^[A-Z]{2}$/, { error: notACountry }),
);

const notAYear = 'A year has four digits and is not in the future';

/** The largest amounts of settings in hundredths. The bounds of each currency are the server's to check. */
const LARGEST_AMOUNT = 10_000_000;
const notAnAmount = 'This is not an amount, or too large';

/** When the money of a sale is paid to its seller: when the time for complaints is over, or at the release. */
export const payoutTimes = ['completed', 'release'] as const;
export type PayoutAfter = (typeof payoutTimes)[number];

/** Who pays for the parcels of sales: shipping costs the buyer nothing. */
export const shippingBearers = ['seller', 'shop'] as const;
export type ShippingBearer = (typeof shippingBearers)[number];

/** How sellers are paid: by an admin, outside the shop, or by transfers to their accounts at the card processor. */
export const payoutMethods = ['by_hand', 'card_processor'] as const;

const notAPrefix = 'The beginning of numbers is + and at most 7 digits, such as +351';

/** The groups of people who can be made to sign in with a second factor. `staff` are the admins who are no owners. */
export const secondFactorGroups = ['owners', 'staff', 'sellers'] as const;
export type SecondFactorGroup = (typeof secondFactorGroups)[number];

/** What an owner decides about the shop. All of it has a value in a fresh shop. */
export const ShopSettings = z.object({
  name: line(40, 'Please write the name of the shop'),
  /** What the shop is, without its name: `Certified pre-owned laptops`. */
  tagline: line(80, 'Please write what the shop is'),
  /** The year in which the shop began; null to say nothing about it. */
  since: z.nullable(
    wholeNumber(1900, 2100, notAYear).check(
      z.refine((year) => year <= new Date().getUTCFullYear(), { error: notAYear }),
    ),
  ),
  /** Stands for the mark and the name; null for these. */
  logo: z.nullable(ShopPicture),
  /** A square; null for the mark of a fresh shop. */
  icon: z.nullable(ShopPicture),
  /** What others show beside a link to the shop; null for a laptop. */
  socialPicture: z.nullable(ShopPicture),
  colors: Colors,
  contact: z.object({
    email: lineOrNone(254).check(
      z.refine((value) => value === '' || z.safeParse(Email, value).success, {
        error: 'This does not look like an email address',
      }),
    ),
    phone: lineOrNone(40),
    address: lineOrNone(300),
  }),
  /** Who the shop is by law, as receipts state it. */
  legal: z.object({
    company: lineOrNone(200),
    address: lineOrNone(300),
    registerNumber: lineOrNone(100),
    vatNumber: lineOrNone(100),
  }),
  /** The tax that later receipts state. */
  tax: z.object({
    /** What the tax is called: `VAT`. */
    name: line(20, 'Please write what the tax is called'),
    /** The tax that is included in the commission, in hundredths of a percent; 0 for none. */
    commissionBasisPoints: wholeNumber(
      0,
      5_000,
      'The tax is a number from 0 to 50 percent with at most two decimals',
    ),
    /** What receipts of sales say about tax, such as the scheme for second-hand goods; empty for nothing. */
    saleNote: lineOrNone(200),
  }),
  /** Whether the shop declares itself private, so that it needs no legal identity. */
  isPrivate: z.boolean({ error: 'This must be true or false' }),
  /** The time zone by which days, months and the years of receipts are counted, such as `Europe/Lisbon`. */
  timeZone: TimeZone,
  /**
   * The country of telephone numbers without a country code, which are then checked, and of parcels. Null for none: such numbers
   * are kept as they are typed.
   */
  country: z.nullable(Country),
  /** The countries in which sellers send laptops, see {@link shippingCountriesOf}. The first one is the default. */
  shippingCountries: listOf(100, Country, 'These must be countries', 'At most 100 countries, please').check(
    z.refine((countries) => new Set(countries).size === countries.length, {
      error: 'Name each country once',
    }),
  ),
  /** Columns of links in the footer, besides the shop's own. */
  footer: listOf(
    3,
    z.object({ title: line(40, 'Please write the title of the column'), links: links(8) }),
    'These must be columns',
    'At most 3 columns, please',
  ),
  /** The shop on social networks. */
  social: links(8),
  /** The currency of all amounts, in ISO 4217. It cannot change after the first booking or movement of money. */
  currency: z.enum(currencyCodes, {
    error: 'A currency is one of those in which Stripe settles payments, such as EUR',
  }),
  /** What the shop keeps of each later sale: a share of the price in hundredths of a percent, and a fixed amount. */
  commission: z.object({
    basisPoints: wholeNumber(0, 5_000, 'The share is a number from 0 to 50 with at most two decimals'),
    fixedCents: wholeNumber(0, LARGEST_AMOUNT, notAnAmount),
  }),
  /** The least price of later listings and of later changes of a price. */
  leastPriceCents: wholeNumber(0, LARGEST_AMOUNT, notAnAmount),
  /** In days. They apply to what happens to an order from then on; dates that an order has stay. */
  deadlines: z.object({
    hold: days('hold'),
    sending: days('sending'),
    looking: days('looking'),
    answering: days('answering'),
    returning: days('returning'),
  } satisfies Record<keyof Deadlines, unknown>),
  /** When the shop pays sellers. A change applies to all money that was not paid yet. */
  payoutAfter: z.enum(payoutTimes, { error: 'Choose when sellers are paid' }),
  /** A change applies to all money that was not paid yet. */
  payoutMethod: z.enum(payoutMethods, { error: 'Choose how sellers are paid' }),
  /** Who bears the labels that are quoted from now on. */
  shippingBorneBy: z.enum(shippingBearers, { error: 'Choose who pays for parcels' }),
  /** The bank account to which sellers repay what they owe, as pages show it; empty for none. */
  bankAccount: lineOrNone(200),
  /** The beginnings of the telephone numbers to which codes are sent, because messages to some numbers are expensive. */
  smsPrefixes: listOf(
    100,
    z.string({ error: notAPrefix }).check(z.trim(), z.regex(/^\+[1-9][0-9]{0,6}$/, { error: notAPrefix })),
    'These must be beginnings of numbers',
    'At most 100 beginnings of numbers, please',
  ),
  /** The most codes that are sent in a day in UTC. */
  smsCodesPerDay: wholeNumber(1, 100_000, 'This is a whole number of codes from 1 to 100,000'),
  /** The backups that the shop makes, if the operator has configured a place for them. */
  backups: z.object({
    /** Null to make none. */
    everyHours: z.nullable(
      wholeNumber(1, 744, 'This is a whole number of hours from 1 to 744, which is 31 days'),
    ),
    /** How many stay. */
    keep: wholeNumber(1, 999, 'This is a whole number of backups from 1 to 999'),
  }),
  /** Who must sign in with a second factor to do anything beside their own account. */
  secondFactor: z.array(z.enum(secondFactorGroups, { error: 'Choose owners, staff or sellers' })).check(
    z.maxLength(secondFactorGroups.length, { error: 'Name each group once' }),
    z.refine((groups) => new Set(groups).size === groups.length, { error: 'Name each group once' }),
  ),
  /** The least battery health in percent with which a listing of a condition counts as measured. */
  batteryFloors: z
    .object({
      Excellent: wholeNumber(1, 100, 'The battery health is a whole number from 1 to 100'),
      Good: wholeNumber(1, 100, 'The battery health is a whole number from 1 to 100'),
    })
    .check(
      z.refine(({ Excellent, Good }) => Good <= Excellent, {
        error: 'Good cannot ask for more than Excellent',
        path: ['Good'],
      }),
    ),
});
export type ShopSettings = z.infer<typeof ShopSettings>;

/** The settings of a fresh shop. */
export const defaultShopSettings: ShopSettings = {
  name: 'Coomercio',
  tagline: 'Certified pre-owned laptops',
  since: 2018,
  logo: null,
  icon: null,
  socialPicture: null,
  colors: {},
  contact: { email: '', phone: '', address: '' },
  legal: { company: '', address: '', registerNumber: '', vatNumber: '' },
  tax: { name: 'VAT', commissionBasisPoints: 0, saleNote: '' },
  isPrivate: false,
  timeZone: 'UTC',
  country: null,
  shippingCountries: [],
  footer: [],
  social: [],
  currency: 'USD',
  commission: { basisPoints: 0, fixedCents: 0 },
  leastPriceCents: defaultCurrency.leastCents,
  deadlines: defaultDeadlines,
  payoutAfter: 'completed',
  payoutMethod: 'by_hand',
  shippingBorneBy: 'seller',
  bankAccount: '',
  smsPrefixes: [],
  smsCodesPerDay: 200,
  backups: { everyHours: 24, keep: 14 },
  secondFactor: [],
  batteryFloors: { Excellent: 85, Good: 80 },
};

/**
 * The countries in which sellers send laptops: those that the owner names, else the shop's own, else the United States. A parcel
 * stays in its country, because of the battery.
 */
export const shippingCountriesOf = ({
  shippingCountries,
  country,
}: Pick<ShopSettings, 'shippingCountries' | 'country'>): string[] =>
  shippingCountries.length > 0 ? shippingCountries : [country ?? 'US'];

/** What everybody may know about the shop. */
export const PublicShop = z.pick(ShopSettings, {
  name: true,
  tagline: true,
  since: true,
  logo: true,
  icon: true,
  socialPicture: true,
  colors: true,
  contact: true,
  legal: true,
  currency: true,
  deadlines: true,
  footer: true,
  social: true,
});
export type PublicShop = z.infer<typeof PublicShop>;

/** The part of a shop's identity that a live shop which is not private must have and lacks, in words. */
export function missingIdentity({
  legal,
  contact,
  isPrivate,
}: Pick<ShopSettings, 'legal' | 'contact' | 'isPrivate'>): string[] {
  if (isPrivate) return [];
  return [
    ...(legal.company === '' ? ['the company'] : []),
    ...(legal.address === '' ? ['its address'] : []),
    ...(contact.email === '' ? ['an email address for customers'] : []),
  ];
}
