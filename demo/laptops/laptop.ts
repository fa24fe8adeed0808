import type { ConfigurationField, conditions } from '#contract/catalogue.ts';
import type { DemoSeller } from '../accounts.ts';

/** A laptop of the demo shop. */
export interface DemoLaptop {
  /** Unique: it tells what a filling that was cut short has listed already. */
  readonly name: string;
  readonly brand: 'HP' | 'Dell' | 'Acer';
  readonly seller: DemoSeller['email'];
  readonly configuration: Readonly<Record<ConfigurationField, string>>;
  /** In the seller's words. */
  readonly notes: string;
  /** In dollars. */
  readonly originalPrice: number;
  /** In dollars. */
  readonly resalePrice: number;
  readonly useTime: string;
  readonly condition: (typeof conditions)[number];
  /** How long before the filling it was listed, and at what local time. */
  readonly posted: readonly [daysAgo: number, time: `${number}:${number}:${number}`];
  readonly advertised?: true;
}
