import type { Reader } from '#server/platform/database/tables.ts';
import { findSender } from '../addresses/steps.ts';
import { type OrderedLaptop, takesReturnAddress } from './rules.ts';

/** Whether a laptop must return by parcel, and its seller has not said to which address. */
export const isReturnUnaddressed = async (
  reader: Reader,
  order: Pick<OrderedLaptop, 'id' | 'state' | 'delivery'>,
): Promise<boolean> => takesReturnAddress(order) && (await findSender(reader, order.id)) === null;
