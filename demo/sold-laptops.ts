import type * as z from 'zod/mini';
import type { Address } from '#contract/sales/addresses.ts';
import type { demoBuyers } from './accounts.ts';
import type { DemoLaptop } from './laptops/laptop.ts';

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
    laptop: {
      name: 'HP EliteBook 840 G7',
      brand: 'HP',
      photosOf: 'HP EliteBook 840 G8',
      seller: 'seller@coomercio.example',
      configuration: {
        Processor: 'Intel Core i5-10310U, 4 cores, up to 4.4 GHz',
        Graphics: 'Intel UHD Graphics',
        Display: '14.0" IPS, 1920 × 1080, 400 nits, matte',
        Memory: '16 GB DDR4-2666 (2 × 8 GB)',
        Storage: '256 GB NVMe SSD',
        Battery: '53 Wh, 86% of its capacity left',
        Operating: 'Windows 11 Pro',
      },
      notes: 'From the same office as the G8 that I sell. Docked most days. Comes with its 65 W charger.',
      originalPrice: 1479,
      resalePrice: 319,
      useTime: '4 years 6 months',
      condition: 'Excellent',
      posted: [47, '10:12:04'],
    },
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
    laptop: {
      name: 'Dell Latitude 5420',
      brand: 'Dell',
      photosOf: 'Dell Latitude 5430',
      seller: 'seller@coomercio.example',
      configuration: {
        Processor: 'Intel Core i5-1145G7, 4 cores, up to 4.4 GHz',
        Graphics: 'Intel Iris Xe Graphics',
        Display: '14.0" IPS, 1920 × 1080, 250 nits, matte',
        Memory: '16 GB DDR4-3200 (1 × 16 GB, one slot free)',
        Storage: '512 GB NVMe SSD',
        Battery: '63 Wh, 90% of its capacity left',
        Operating: 'Windows 11 Pro',
      },
      notes: 'A plain, quiet machine for writing and calls. One memory slot is free.',
      originalPrice: 1389,
      resalePrice: 339,
      useTime: '3 years 9 months',
      condition: 'Excellent',
      posted: [39, '18:40:22'],
    },
    buyer: 'henrik.solberg@coomercio.example',
    way: 'Pioneer Square, at the bookshop',
    reviews: {
      ofSeller: { stars: 5, text: 'Answered within the hour and brought the receipt from the first owner.' },
      ofBuyer: { stars: 5, text: 'Friendly, and clear about the time. Gladly again.' },
    },
  },
  {
    laptop: {
      name: 'Acer Swift 5 SF514-54T',
      brand: 'Acer',
      photosOf: 'Acer Swift 5 SF514-55T',
      seller: 'seller@coomercio.example',
      configuration: {
        Processor: 'Intel Core i7-1065G7, 4 cores, up to 3.9 GHz',
        Graphics: 'Intel Iris Plus Graphics',
        Display: '14.0" IPS touch, 1920 × 1080, 300 nits',
        Memory: '8 GB LPDDR4X, soldered',
        Storage: '512 GB NVMe SSD',
        Battery: '56 Wh, 81% of its capacity left',
        Operating: 'Windows 11 Home',
      },
      notes: 'Weighs less than a kilogram. The memory cannot be extended, so be sure that 8 GB are enough.',
      originalPrice: 1099,
      resalePrice: 289,
      useTime: '4 years 10 months',
      condition: 'Excellent',
      posted: [33, '8:05:51'],
    },
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
    laptop: {
      name: 'Dell Latitude 5410',
      brand: 'Dell',
      photosOf: 'Dell Latitude 7420',
      seller: 'daniel.okafor@coomercio.example',
      configuration: {
        Processor: 'Intel Core i5-10310U, 4 cores, up to 4.4 GHz',
        Graphics: 'Intel UHD Graphics',
        Display: '14.0" IPS, 1920 × 1080, 220 nits, matte',
        Memory: '8 GB DDR4-2666 (1 × 8 GB, one slot free)',
        Storage: '256 GB NVMe SSD',
        Battery: '68 Wh, 78% of its capacity left',
        Operating: 'Ubuntu 24.04 LTS',
      },
      notes: 'Used for field work, so it has travelled, but always in a sleeve.',
      originalPrice: 1199,
      resalePrice: 229,
      useTime: '4 years',
      condition: 'Good',
      posted: [52, '13:27:36'],
    },
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
    laptop: {
      name: 'HP EliteBook 840 G6',
      brand: 'HP',
      photosOf: 'HP EliteBook 845 G9',
      seller: 'tomasz.nowak@coomercio.example',
      configuration: {
        Processor: 'Intel Core i5-8365U, 4 cores, up to 4.1 GHz',
        Graphics: 'Intel UHD Graphics 620',
        Display: '14.0" IPS, 1920 × 1080, 250 nits, matte',
        Memory: '16 GB DDR4-2400 (2 × 8 GB)',
        Storage: '256 GB NVMe SSD',
        Battery: '50 Wh, 71% of its capacity left',
        Operating: 'Windows 11 Pro',
      },
      notes: 'Lease return with a worn space bar. A good second laptop.',
      originalPrice: 1399,
      resalePrice: 199,
      useTime: '5 years 8 months',
      condition: 'Good',
      posted: [58, '16:55:13'],
    },
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
    laptop: {
      name: 'HP Omen 15-ek1',
      brand: 'HP',
      photosOf: 'HP Omen 16',
      seller: 'grace.kim@coomercio.example',
      configuration: {
        Processor: 'Intel Core i7-10870H, 8 cores, up to 5.0 GHz',
        Graphics: 'NVIDIA GeForce RTX 3060 Laptop, 6 GB',
        Display: '15.6" IPS, 1920 × 1080, 144 Hz, 300 nits',
        Memory: '16 GB DDR4-2933 (2 × 8 GB)',
        Storage: '512 GB NVMe SSD',
        Battery: '70 Wh, 84% of its capacity left',
        Operating: 'Windows 11 Home',
      },
      notes: 'Played on in the evenings, cleaned twice a year. The 200 W charger is heavy and included.',
      originalPrice: 1499,
      resalePrice: 549,
      useTime: '3 years 5 months',
      condition: 'Good',
      posted: [29, '20:31:09'],
    },
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
    laptop: {
      name: 'HP EliteBook 830 G7',
      brand: 'HP',
      photosOf: 'HP EliteBook 840 G8',
      seller: 'seller@coomercio.example',
      configuration: {
        Processor: 'Intel Core i5-10210U, 4 cores, up to 4.2 GHz',
        Graphics: 'Intel UHD Graphics',
        Display: '13.3" IPS, 1920 × 1080, 400 nits, matte',
        Memory: '16 GB DDR4-2666 (2 × 8 GB)',
        Storage: '512 GB NVMe SSD',
        Battery: '53 Wh, 83% of its capacity left',
        Operating: 'Windows 11 Pro',
      },
      notes: 'The small one of our office, always in a sleeve. Comes with its 65 W charger.',
      originalPrice: 1399,
      resalePrice: 289,
      useTime: '4 years 8 months',
      condition: 'Excellent',
      posted: [21, '09:44:37'],
    },
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
