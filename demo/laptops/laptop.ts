import type { ConfigurationField, conditions } from '#contract/listings/catalogue.ts';
import type { DemoSeller } from '../accounts.ts';

/** The views of flaws, which `photos/machines.json` aims at. */
export const flawViews = ['flaw', 'flaw-2', 'flaw-3'] as const;
export type FlawView = (typeof flawViews)[number];

/** A laptop of the demo shop. */
export interface DemoLaptop {
  /** Unique, because a run after an aborted one skips the laptops that are listed by name. */
  readonly name: string;
  readonly brand: 'HP' | 'Dell' | 'Acer';
  /** The laptop of the same seller whose photos a sold one shows. */
  readonly photosOf?: string;
  readonly seller: DemoSeller['email'];
  readonly configuration: Readonly<Record<ConfigurationField, string>>;
  /** The seller's remarks. They name no visible flaw that `flaws` does not show. */
  readonly notes: string;
  /** The captions of the close-ups of its flaws, by the view in the picture's file name. */
  readonly flaws?: Readonly<Partial<Record<FlawView, string>>>;
  /** In the shop’s currency. */
  readonly originalPrice: number;
  /** In the shop’s currency. */
  readonly resalePrice: number;
  readonly useTime: string;
  readonly condition: (typeof conditions)[number];
  /** When it was listed: days before the demo data are created, and the local time. */
  readonly posted: readonly [daysAgo: number, time: `${number}:${number}:${number}`];
  readonly advertised?: true;
}

/** A laptop in the file of its brand. */
export type LaptopOfBrand = Omit<DemoLaptop, 'brand'>;
