import type { DeliveryOffer } from '#contract/listings/laptop-schemas.ts';

/** The password of every demo account. */
export const demoPassword = 'Coomercio#2018';

interface DemoAccount {
  readonly name: string;
  readonly email: string;
  readonly role: 'Buyer' | 'Seller' | 'Admin';
}

/** The sellers of the demo shop. Two of them are not verified. */
export const demoSellers = [
  {
    name: 'Marta Lindqvist',
    email: 'seller@coomercio.example',
    role: 'Seller',
    verified: true,
    location: 'Portland, Oregon',
    delivery: 'both',
    mobileNumber: '+1 503 555 0142',
  },
  {
    name: 'Daniel Okafor',
    email: 'daniel.okafor@coomercio.example',
    role: 'Seller',
    verified: true,
    location: 'Columbus, Ohio',
    delivery: 'both',
    mobileNumber: '+1 614 555 0117',
  },
  {
    name: 'Priya Raman',
    email: 'priya.raman@coomercio.example',
    role: 'Seller',
    verified: false,
    location: 'Austin, Texas',
    delivery: 'meet',
    mobileNumber: '+1 512 555 0168',
  },
  {
    name: 'Tomasz Nowak',
    email: 'tomasz.nowak@coomercio.example',
    role: 'Seller',
    verified: true,
    location: 'Milwaukee, Wisconsin',
    delivery: 'both',
    mobileNumber: '+1 414 555 0173',
  },
  {
    name: 'Grace Kim',
    email: 'grace.kim@coomercio.example',
    role: 'Seller',
    verified: true,
    location: 'Sacramento, California',
    delivery: 'both',
    mobileNumber: '+1 916 555 0129',
  },
  {
    name: 'Luis Herrera',
    email: 'luis.herrera@coomercio.example',
    role: 'Seller',
    verified: false,
    location: 'Albuquerque, New Mexico',
    delivery: 'meet',
    mobileNumber: '+1 505 555 0134',
  },
] as const satisfies readonly (DemoAccount & {
  verified: boolean;
  location: string;
  /** Whether the seller meets the buyers of laptops, or sends them as well. */
  delivery: DeliveryOffer;
  mobileNumber: string;
})[];

export type DemoSeller = (typeof demoSellers)[number];

export const demoAdmin = {
  name: 'Elena Castellanos',
  email: 'admin@coomercio.example',
  role: 'Admin',
} as const satisfies DemoAccount;

export const demoBuyer = {
  name: 'Jonas Weber',
  email: 'buyer@coomercio.example',
  role: 'Buyer',
} as const satisfies DemoAccount;

/** All buyers: the one that visitors usually try, and those of other sales and conversations. */
export const demoBuyers = [
  demoBuyer,
  { name: 'Amara Diallo', email: 'amara.diallo@coomercio.example', role: 'Buyer' },
  { name: 'Henrik Solberg', email: 'henrik.solberg@coomercio.example', role: 'Buyer' },
] as const satisfies readonly DemoAccount[];

/** All accounts. The first three are one of each role, which visitors usually try first. */
export const demoAccounts: readonly DemoAccount[] = [
  demoAdmin,
  demoSellers[0],
  demoBuyer,
  ...demoSellers.slice(1),
  ...demoBuyers.slice(1),
];

const longestEmail = Math.max(...demoAccounts.map(({ email }) => email.length));

/** The demo accounts as lines for the terminal. */
export const demoAccountLines: readonly string[] = [
  `Demo accounts, each with the password ${demoPassword}:`,
  ...demoAccounts.map(
    ({ email, role, name }) => `  ${email.padEnd(longestEmail + 2)}${role.padEnd(8)}${name}`,
  ),
];
