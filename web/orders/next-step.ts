import type { ParcelNews } from '#contract/money/order-states.ts';
import type { Booking } from '#contract/sales/bookings.ts';
import { firstName } from '../formats/first-name.ts';

/** The parts of an order's page that links lead to, by the ids of their headings. */
export const orderParts = {
  code: 'your-code',
  handOver: 'hand-over',
  parcel: 'parcel',
  check: 'what-to-check',
} as const;

/** What a person does next about a paid booking. */
export interface NextStep {
  label: string;
  /** The page on which it is done. */
  page: 'conversation' | 'order';
  part?: (typeof orderParts)[keyof typeof orderParts];
}

/** The link to the order: before the hand-over, to the code or to its field. */
export function orderStep({ order }: Booking, role: 'buyer' | 'seller'): NextStep {
  if (order?.state !== 'held') return { label: 'See the order', page: 'order' };
  return role === 'buyer'
    ? { label: 'Show the code', page: 'order', part: orderParts.code }
    : { label: 'Enter the code', page: 'order', part: orderParts.handOver };
}

/** The next step about a parcel on its way: the buyer's when it arrives, the seller's when it comes back. */
function shippedStep(news: ParcelNews | undefined, role: 'buyer' | 'seller'): NextStep | null {
  const isBack = news === 'return_to_sender';
  if (news === 'failure' || isBack !== (role === 'seller')) return null;
  return { label: isBack ? 'It came back' : 'It has arrived', page: 'order', part: orderParts.parcel };
}

/**
 * The next step of a paid booking for its buyer or its seller; null when the other side, the shop or a bank has to act, or nothing is
 * left to do.
 */
export function nextStep(booking: Booking, role: 'buyer' | 'seller'): NextStep | null {
  const { order, meeting, proposal, buyerName, sellerName, email, sellerPhone } = booking;
  if (order === undefined) return null;
  const isBuyer = role === 'buyer';
  switch (order.state) {
    case 'held': {
      // Nobody answers after the other account has ended.
      const isReachable = (isBuyer ? sellerPhone : email) !== undefined;
      if (meeting !== undefined || !isReachable) return orderStep(booking, role);
      if (proposal?.mine) return null;
      return {
        label: proposal === undefined ? 'Agree on a time' : 'Answer the proposal',
        page: 'conversation',
      };
    }
    case 'to_ship':
      return isBuyer ? null : { label: 'Send the laptop', page: 'order', part: orderParts.parcel };
    case 'shipped':
      return shippedStep(order.news, role);
    case 'delivered':
      return isBuyer ? { label: 'Look at the laptop', page: 'order', part: orderParts.check } : null;
    case 'complaint':
      return isBuyer ? null : { label: 'Answer the complaint', page: 'order' };
    case 'offered':
      return isBuyer ? { label: 'Answer the offer', page: 'order' } : null;
    case 'awaiting_return':
      if (order.news === 'no_return_address') {
        return isBuyer ? null : { label: 'Say where it returns', page: 'order', part: orderParts.parcel };
      }
      return isBuyer ? { label: 'Return the laptop', page: 'order' } : null;
    case 'return_reported':
      return isBuyer ? null : { label: 'Confirm the return', page: 'order' };
    case 'released':
    case 'completed':
      return order.canReview
        ? { label: `Review ${firstName(isBuyer ? sellerName : buyerName)}`, page: 'order' }
        : null;
    case 'contested':
    case 'charge_disputed':
    case 'refunded':
    case 'charged_back':
      return null;
  }
}
