import { MAXIMUM_PACKING_PHOTOS } from '#contract/sales/shipping.ts';
import {
  keepHostedPhotos,
  type PhotoDependencies,
  requireHostedPhotos,
} from '#server/listings/catalogue/steps.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import type { Caller } from '#server/platform/http/serve.ts';
import { lockOwnOrder } from '../orders/actions.ts';
import { orderStateChanged } from '../orders/refusals.ts';
import { packingPhotosOf } from '../orders/steps.ts';
import type { ShippingDependencies } from './actions.ts';
import { insertPackingPhotos } from './packing-store.ts';

/** The photos have one error together. */
const photoField = () => 'photos';

/**
 * Adds photos of how the laptop of the caller's sale is packed, until its carrier has it. They prove what was sent, so none can be changed.
 * @returns how many are new @throws Refusal
 */
export async function addPackingPhotos(
  dependencies: Pick<ShippingDependencies, 'database'> & PhotoDependencies,
  caller: Caller,
  orderId: string,
  urls: readonly string[],
): Promise<number> {
  // Before the transaction, because it reads the photo storage.
  const photos = await requireHostedPhotos(dependencies, urls, photoField);
  return dependencies.database.transaction().execute(async (transaction) => {
    const order = await lockOwnOrder(transaction, caller, orderId, 'seller');
    const present = (await packingPhotosOf(transaction, orderId)).map(({ photo }) => photo);
    const added = photos.filter((photo) => !present.includes(photo));
    if (added.length === 0) return 0;
    if (order.state !== 'to_ship') throw orderStateChanged(order);
    if (present.length + added.length > MAXIMUM_PACKING_PHOTOS) {
      const error = `This order has ${present.length} photos already, and can have ${MAXIMUM_PACKING_PHOTOS}`;
      throw new Refusal('invalid_input', `${error}. None was added.`, { errors: { photos: error } });
    }
    await keepHostedPhotos(transaction, added, photoField);
    await insertPackingPhotos(transaction, orderId, added);
    return added.length;
  });
}
