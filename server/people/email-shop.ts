import { type PublicShop, themeOf } from '#contract/platform/shop-settings.ts';
import type { EmailShop } from '#emails/email.ts';

/** How emails present the shop. */
export function toEmailShop({ name, tagline, since, legal, colors }: PublicShop): EmailShop {
  const identity = [legal.company, legal.address].filter((part) => part !== '').join(', ');
  return {
    name,
    footer: [
      `${name}: ${tagline}${since === null ? '' : `, since ${since}`}`,
      ...(identity === '' ? [] : [identity]),
    ],
    theme: themeOf({ colors }),
  };
}
