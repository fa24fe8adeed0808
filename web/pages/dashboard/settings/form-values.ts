import type { FieldPath } from 'react-hook-form';
import * as z from 'zod/mini';
import { currencyCodes } from '#contract/platform/currencies.ts';
import { eachDeadline } from '#contract/platform/deadlines.ts';
import { hundredthsFromText } from '#contract/platform/money.ts';
import {
  chosenRoles,
  payoutTimes,
  ShopPicture,
  type ShopSettings,
  secondFactorGroups,
  shippingBearers,
  shopPictureKinds,
} from '#contract/platform/shop-settings.ts';
import { theme } from '#contract/platform/theme.ts';

const Colors = z.record(z.enum(chosenRoles), z.object({ light: z.string(), dark: z.string() }));

/** What the form holds: texts as they are typed. */
export const FormValues = z.object({
  name: z.string(),
  tagline: z.string(),
  since: z.string(),
  logo: z.nullable(ShopPicture),
  icon: z.nullable(ShopPicture),
  socialPicture: z.nullable(ShopPicture),
  colors: Colors,
  email: z.string(),
  phone: z.string(),
  contactAddress: z.string(),
  company: z.string(),
  legalAddress: z.string(),
  registerNumber: z.string(),
  vatNumber: z.string(),
  taxName: z.string(),
  taxPercent: z.string(),
  saleNote: z.string(),
  isPrivate: z.boolean(),
  timeZone: z.string(),
  country: z.string(),
  shippingCountries: z.string(),
  deadlines: z.object(eachDeadline(() => z.string())),
  payoutAfter: z.enum(payoutTimes),
  shippingBorneBy: z.enum(shippingBearers),
  bankAccount: z.string(),
  smsPrefixes: z.string(),
  secondFactor: z.array(z.enum(secondFactorGroups)),
  footer: z.string(),
  social: z.string(),
  currency: z.enum(currencyCodes),
  percent: z.string(),
  fixed: z.string(),
  leastPrice: z.string(),
  excellent: z.string(),
  good: z.string(),
});
export type FormValues = z.infer<typeof FormValues>;

const centsText = (cents: number) => (cents / 100).toFixed(2).replace(/\.00$/, '');

const linkLine = ({ label, url }: ShopSettings['social'][number]) => `${label} | ${url}`;

/** What the form holds as the settings do. */
const sameValues = (
  from: Pick<
    FormValues,
    | 'name'
    | 'tagline'
    | 'logo'
    | 'icon'
    | 'socialPicture'
    | 'isPrivate'
    | 'timeZone'
    | 'payoutAfter'
    | 'bankAccount'
    | 'shippingBorneBy'
    | 'currency'
  >,
) => ({
  name: from.name,
  tagline: from.tagline,
  logo: from.logo,
  icon: from.icon,
  socialPicture: from.socialPicture,
  isPrivate: from.isPrivate,
  timeZone: from.timeZone,
  payoutAfter: from.payoutAfter,
  bankAccount: from.bankAccount,
  shippingBorneBy: from.shippingBorneBy,
  currency: from.currency,
});

/** The settings as texts. */
export function toFormValues(settings: ShopSettings): FormValues {
  const { contact, legal, footer, social, commission, batteryFloors, colors, since, deadlines } = settings;
  return {
    ...sameValues(settings),
    smsPrefixes: settings.smsPrefixes.join(', '),
    secondFactor: [...settings.secondFactor],
    country: settings.country ?? '',
    shippingCountries: settings.shippingCountries.join(', '),
    since: since === null ? '' : `${since}`,
    colors: Colors.parse(Object.fromEntries(chosenRoles.map((role) => [role, colors[role] ?? theme[role]]))),
    email: contact.email,
    phone: contact.phone,
    contactAddress: contact.address,
    company: legal.company,
    legalAddress: legal.address,
    registerNumber: legal.registerNumber,
    vatNumber: legal.vatNumber,
    taxName: settings.tax.name,
    taxPercent: centsText(settings.tax.commissionBasisPoints),
    saleNote: settings.tax.saleNote,
    footer: footer.map(({ title, links }) => [title, ...links.map(linkLine)].join('\n')).join('\n\n'),
    social: social.map(linkLine).join('\n'),
    percent: centsText(commission.basisPoints),
    fixed: centsText(commission.fixedCents),
    leastPrice: centsText(settings.leastPriceCents),
    deadlines: eachDeadline((name) => `${deadlines[name]}`),
    excellent: `${batteryFloors.Excellent}`,
    good: `${batteryFloors.Good}`,
  };
}

/** The colours that differ from those of a fresh shop. */
export function ownColors(colors: FormValues['colors']): ShopSettings['colors'] {
  return Object.fromEntries(
    chosenRoles.flatMap((role) => {
      const { light, dark } = colors[role];
      const isOwn = light !== theme[role].light || dark !== theme[role].dark;
      return isOwn ? [[role, { light, dark }]] : [];
    }),
  );
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((typed) => typed.trim())
    .filter((typed) => typed !== '');

/** The items of a list that is typed with commas or spaces. */
const itemsOf = (text: string) => text.split(/[\s,;]+/).filter((item) => item !== '');

/** A line `Name | https://…`. Without a bar the whole line is the URL, which the contract judges. */
function toLink(typed: string) {
  const [label = '', ...url] = typed.split('|');
  return url.length === 0 ? { label: typed, url: typed } : { label: label.trim(), url: url.join('|').trim() };
}

/** @returns not a number for a text that is none, which the contract refuses */
const numberOf = (text: string) => (text.trim() === '' ? Number.NaN : Number(text));

const centsOf = (text: string) => hundredthsFromText(text.trim().replace(',', '.')) ?? Number.NaN;

/** The typed texts as settings, which the contract then checks. */
export function toSettings(values: FormValues): ShopSettings {
  return {
    ...sameValues(values),
    smsPrefixes: itemsOf(values.smsPrefixes),
    secondFactor: secondFactorGroups.filter((group) => values.secondFactor.includes(group)),
    country: values.country.trim() === '' ? null : values.country,
    shippingCountries: itemsOf(values.shippingCountries),
    since: values.since.trim() === '' ? null : Number(values.since),
    colors: ownColors(values.colors),
    contact: { email: values.email, phone: values.phone, address: values.contactAddress },
    legal: {
      company: values.company,
      address: values.legalAddress,
      registerNumber: values.registerNumber,
      vatNumber: values.vatNumber,
    },
    tax: {
      name: values.taxName,
      commissionBasisPoints: centsOf(values.taxPercent),
      saleNote: values.saleNote,
    },
    footer: values.footer.split(/\n\s*\n/).flatMap((column) => {
      const [title, ...links] = linesOf(column);
      return title === undefined ? [] : [{ title, links: links.map(toLink) }];
    }),
    social: linesOf(values.social).map(toLink),
    commission: { basisPoints: centsOf(values.percent), fixedCents: centsOf(values.fixed) },
    leastPriceCents: centsOf(values.leastPrice),
    deadlines: eachDeadline((name) => numberOf(values.deadlines[name])),
    batteryFloors: { Excellent: numberOf(values.excellent), Good: numberOf(values.good) },
  };
}

const fields: Readonly<Record<string, FieldPath<FormValues>>> = {
  'contact.email': 'email',
  'contact.phone': 'phone',
  'contact.address': 'contactAddress',
  'legal.company': 'company',
  'legal.address': 'legalAddress',
  'legal.registerNumber': 'registerNumber',
  'legal.vatNumber': 'vatNumber',
  'tax.name': 'taxName',
  'tax.commissionBasisPoints': 'taxPercent',
  'tax.saleNote': 'saleNote',
  'commission.basisPoints': 'percent',
  'commission.fixedCents': 'fixed',
  leastPriceCents: 'leastPrice',
  'batteryFloors.Excellent': 'excellent',
  'batteryFloors.Good': 'good',
};

const sameNames = [
  ...Object.values(eachDeadline((name) => `deadlines.${name}` as const)),
  'name',
  'tagline',
  'since',
  'timeZone',
  'country',
  'payoutAfter',
  'shippingBorneBy',
  'currency',
  'bankAccount',
  ...shopPictureKinds,
] as const;

/** The field of the form for a field of the request, such as `settings.legal.company`. */
export function fieldOf(path: string): FieldPath<FormValues> | null {
  const field = path.replace(/^settings\./, '');
  if (/^footer\b/.test(field)) return 'footer';
  if (/^smsPrefixes\b/.test(field)) return 'smsPrefixes';
  if (/^shippingCountries\b/.test(field)) return 'shippingCountries';
  if (/^social\b(?!Picture)/.test(field)) return 'social';
  for (const role of chosenRoles) {
    if (field === `colors.${role}.light`) return `colors.${role}.light`;
    if (field === `colors.${role}.dark`) return `colors.${role}.dark`;
  }
  return sameNames.find((name) => name === field) ?? fields[field] ?? null;
}
