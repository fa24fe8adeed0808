import { clockDays } from '#contract/money/order-states.ts';

/** What comes next after the payment of a laptop that is sent. */
export function PaidParcel({ seller }: { seller: string }) {
  return (
    <p>
      We hold your money. {seller} sends the laptop within {clockDays('to_ship')} days, or you get the money
      back. When it has arrived, say so on the order: then you have {clockDays('delivered')} days to look at
      it, and without a complaint the money is released to the seller.
    </p>
  );
}
