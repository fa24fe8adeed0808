import { deleteBuyer, listBuyers } from '#contract/operations/user-admin.ts';
import { PeoplePage } from '../../../lists/people-page.tsx';

export default function AllBuyers() {
  return (
    <PeoplePage
      title="All Buyers"
      description="Everyone who has registered to buy here."
      roleName="buyer"
      endpoint={listBuyers}
      consequence="The account ends at once and its unpaid bookings are cancelled. Its orders go on: a parcel that is not sent, or not shown to have arrived, is refunded when the time is over, and other held money is released to the seller then."
      consequenceOfBoth="This person also sells: the unsold laptops leave the shop, and unpaid bookings of them are cancelled."
      deletion={deleteBuyer}
    />
  );
}
