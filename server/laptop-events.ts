import { moveDraftToLaptop } from './certification/inspections/drafts.ts';
import {
  addRememberedDeviceLocks,
  type LevelDependencies,
  updateLevel,
} from './certification/inspections/steps.ts';
import type { LaptopEvents } from './listings/events.ts';
import { announcePrice, endWithdrawnBookings } from './sales/bookings/steps.ts';
import type { PaymentDependencies } from './sales/payments/actions.ts';
import { cancelUnpaidSales, closeAttempts, refuseWhilePaid } from './sales/payments/laptop-events.ts';

/**
 * Who reacts to what happens to a laptop. A sale and a return are not here: sales decides them, and calls what follows in
 * listings and certification, which it may import (docs/decisions/0058-events-of-a-laptop.md).
 */
export function reactToLaptops(
  dependencies: PaymentDependencies & Pick<LevelDependencies, 'shop'>,
): LaptopEvents {
  return {
    listed: [(transaction, laptop) => moveDraftToLaptop(transaction, dependencies, laptop)],
    changeRequested: [(change) => closeAttempts(dependencies, change)],
    changing: [refuseWhilePaid],
    changed: [(transaction, { before }) => updateLevel(transaction, dependencies, before.id)],
    priceChanged: [announcePrice],
    relisted: [
      (transaction, { laptop }) => endWithdrawnBookings(transaction, laptop.id),
      (transaction, { laptop }) => addRememberedDeviceLocks(transaction, laptop),
      (transaction, { laptop }) => updateLevel(transaction, dependencies, laptop.id),
    ],
    withdrawn: [cancelUnpaidSales],
    takenDown: [cancelUnpaidSales],
  };
}
