import type * as z from 'zod/mini';
import type { Address } from '#contract/sales/addresses.ts';
import type { demoBuyers } from './accounts.ts';
import { type DemoLaptop, soldLaptop } from './laptops.ts';

/** A parcel of a demo sale, to an address in the sellers' country. */
export interface DemoParcel {
  readonly address: z.input<typeof Address>;
  readonly carrier: string;
  readonly trackingNumber: string;
}

/** A sale of the demo shop: over, with the reviews of both sides, or on its way. */
export interface DemoSale {
  readonly laptop: DemoLaptop;
  readonly buyer: (typeof demoBuyers)[number]['email'];
  /** Where both meet, or the parcel. */
  readonly way: string | DemoParcel;
  /** Missing of one that is on its way. */
  readonly reviews?: {
    /** The buyer's review of the seller. */
    readonly ofSeller: { readonly stars: number; readonly text: string; readonly answer?: string };
    /** The seller's review of the buyer. */
    readonly ofBuyer: { readonly stars: number; readonly text: string };
  };
}

/** The sales. Their laptops show the photos of a similar laptop of the same seller. */
export const demoSales: readonly DemoSale[] = [
  {
    laptop: soldLaptop('HP EliteBook 840 G7'),
    buyer: 'amara.diallo@coomercio.example',
    way: 'Central Library, main entrance',
    reviews: {
      ofSeller: {
        stars: 5,
        text: 'Exactly as in the listing, down to the battery. Marta had it charged, signed out and reset, and let me try every port before I gave her the code.',
      },
      ofBuyer: { stars: 5, text: 'On time, knew what she wanted to check, and was done in ten minutes.' },
    },
  },
  {
    laptop: soldLaptop('Dell Latitude 5420'),
    buyer: 'henrik.solberg@coomercio.example',
    way: 'Pioneer Square, at the bookshop',
    reviews: {
      ofSeller: { stars: 5, text: 'Answered within the hour and brought the receipt from the first owner.' },
      ofBuyer: { stars: 5, text: 'Friendly, and clear about the time. Gladly again.' },
    },
  },
  {
    laptop: soldLaptop('Acer Swift 5 SF514-54T'),
    buyer: 'buyer@coomercio.example',
    way: 'Lloyd Center, north door',
    reviews: {
      ofSeller: {
        stars: 4,
        text: 'A very light laptop and an honest description. The charger was another one than in the photo; it works, but it is bulkier.',
        answer: 'True, I had packed the one of my own laptop. The right one is in the mail to you.',
      },
      ofBuyer: { stars: 5, text: 'Pleasant to deal with, and fair about my mistake with the charger.' },
    },
  },
  {
    laptop: soldLaptop('Dell Latitude 5410'),
    buyer: 'buyer@coomercio.example',
    way: 'Goodale Park, at the gazebo',
    reviews: {
      ofSeller: {
        stars: 5,
        text: 'Daniel measured it again while I was there, and the numbers were the ones in the listing.',
      },
      ofBuyer: { stars: 4, text: 'Came half an hour late but wrote before. Everything else went well.' },
    },
  },
  {
    laptop: soldLaptop('HP EliteBook 840 G6'),
    buyer: 'amara.diallo@coomercio.example',
    way: 'Milwaukee Public Market, south side',
    reviews: {
      ofSeller: {
        stars: 3,
        text: 'It works and the price was right, but the space bar is more than worn: it has to be pressed in the middle.',
        answer: 'I should have said that more clearly. The next listings say it in so many words.',
      },
      ofBuyer: { stars: 5, text: 'Straightforward and polite, also about what she did not like.' },
    },
  },
  {
    laptop: soldLaptop('HP Omen 15-ek1'),
    buyer: 'henrik.solberg@coomercio.example',
    way: {
      address: {
        name: 'Henrik Solberg',
        line1: '2400 SE Ankeny Street',
        line2: 'Apt 4',
        city: 'Portland',
        region: 'OR',
        postalCode: '97214',
        country: 'US',
      },
      carrier: 'UPS',
      trackingNumber: '1Z999AA10123456784',
    },
    reviews: {
      ofSeller: {
        stars: 5,
        text: 'Runs cool and looks newer than it is. Grace packed it well, and it was here after three days.',
      },
      ofBuyer: { stars: 5, text: 'A calm buyer who had read the listing to the end.' },
    },
  },
  {
    laptop: soldLaptop('HP EliteBook 830 G7'),
    buyer: 'buyer@coomercio.example',
    way: {
      address: {
        name: 'Jonas Weber',
        line1: '815 Howell Mill Road',
        city: 'Seattle',
        region: 'WA',
        postalCode: '98101',
        country: 'US',
      },
      carrier: 'USPS',
      trackingNumber: '9400111899223100001234',
    },
  },
];
