import type { Laptop } from '#contract/listings/catalogue.ts';
import type { Purchase } from '../../bookings/use-purchase.ts';
import type { RoleCheck } from '../../session/roles.ts';

/** The props of both card sizes. */
export interface LaptopCardProps {
  laptop: Laptop;
  /** Whether the photo is loaded at once. */
  eager: boolean;
  roles: RoleCheck;
  purchase: Purchase;
  onBook: () => void;
}
