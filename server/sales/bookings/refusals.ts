import { missingIdentity, type ShopSettings } from '#contract/platform/shop-settings.ts';
import { Refusal } from '#server/platform/http/refusal.ts';

/**
 * A live shop says who it is before it sells. What was paid already goes on.
 * @throws Refusal when a live shop that is not private has no legal identity
 */
export function requireIdentity({ shop, isLive }: { shop: () => ShopSettings; isLive: boolean }): void {
  if (!isLive || missingIdentity(shop()).length === 0) return;
  throw new Refusal(
    'shop_unidentified',
    'This shop does not say yet who runs it, so it takes no bookings and payments. Nothing was booked or charged, and what you have booked is kept. Please try again when its operators have completed its identity.',
  );
}
