import * as z from 'zod/mini';
import { hundredthsFromText } from '#contract/platform/money.ts';
import { chosenRoles, type ShopSettings, secondFactorGroups } from '#contract/platform/shop-settings.ts';
import { theme } from '#contract/platform/theme.ts';

const centsText = (cents: number) => (cents / 100).toFixed(2).replace(/\.00$/, '');

/** @returns not a number for a text that is none, which the contract refuses */
const centsOf = (text: string) => hundredthsFromText(text.trim().replace(',', '.')) ?? Number.NaN;

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((typed) => typed.trim())
    .filter((typed) => typed !== '');

/** The items of a list that is typed with commas or spaces. */
const itemsOf = (text: string) => text.split(/[\s,;]+/).filter((item) => item !== '');

const linkLine = ({ label, url }: ShopSettings['social'][number]) => `${label} | ${url}`;

/** A line `Name | https://…`. Without a bar the whole line is the URL, which the contract judges. */
function toLink(typed: string) {
  const [label = '', ...url] = typed.split('|');
  return url.length === 0 ? { label: typed, url: typed } : { label: label.trim(), url: url.join('|').trim() };
}

const Colors = z.record(z.enum(chosenRoles), z.object({ light: z.string(), dark: z.string() }));

/** The colours that differ from those of a fresh shop. */
export function ownColors(colors: z.infer<typeof Colors>): ShopSettings['colors'] {
  return Object.fromEntries(
    chosenRoles.flatMap((role) => {
      const { light, dark } = colors[role];
      const isOwn = light !== theme[role].light || dark !== theme[role].dark;
      return isOwn ? [[role, { light, dark }]] : [];
    }),
  );
}

/** The settings as the form holds them: amounts and lists as typed texts, and all colours. */
export const toFormValues = ({ colors, tax, commission, footer, ...settings }: ShopSettings) => ({
  ...settings,
  colors: Colors.parse(Object.fromEntries(chosenRoles.map((role) => [role, colors[role] ?? theme[role]]))),
  tax: { ...tax, commissionBasisPoints: centsText(tax.commissionBasisPoints) },
  commission: {
    basisPoints: centsText(commission.basisPoints),
    fixedCents: centsText(commission.fixedCents),
  },
  leastPriceCents: centsText(settings.leastPriceCents),
  shippingCountries: settings.shippingCountries.join(', '),
  smsPrefixes: settings.smsPrefixes.join(', '),
  footer: footer.map(({ title, links }) => [title, ...links.map(linkLine)].join('\n')).join('\n\n'),
  social: settings.social.map(linkLine).join('\n'),
});
export type FormValues = ReturnType<typeof toFormValues>;

/** The typed texts as settings, which the contract then checks. */
export const toSettings = ({ colors, tax, commission, footer, ...values }: FormValues): ShopSettings => ({
  ...values,
  colors: ownColors(colors),
  tax: { ...tax, commissionBasisPoints: centsOf(tax.commissionBasisPoints) },
  commission: { basisPoints: centsOf(commission.basisPoints), fixedCents: centsOf(commission.fixedCents) },
  leastPriceCents: centsOf(values.leastPriceCents),
  secondFactor: secondFactorGroups.filter((group) => values.secondFactor.includes(group)),
  shippingCountries: itemsOf(values.shippingCountries),
  smsPrefixes: itemsOf(values.smsPrefixes),
  footer: footer.split(/\n\s*\n/).flatMap((column) => {
    const [title, ...links] = linesOf(column);
    return title === undefined ? [] : [{ title, links: links.map(toLink) }];
  }),
  social: linesOf(values.social).map(toLink),
});
