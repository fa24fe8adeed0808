import { deleteBuyer, listBuyers } from '#contract/operations/user-admin.ts';
import { PeoplePage } from '../../../lists/people-page.tsx';

export default function AllBuyers() {
  return (
    <PeoplePage
      title="All Buyers"
      description="Everyone who has registered to buy here."
      roleName="buyer"
      endpoint={listBuyers}
      consequence="The account ends at once and its unpaid bookings are cancelled. What was paid stays on record, and held money is released to the seller when the time is over."
      consequenceOfBoth="This person also sells: the unsold laptops leave the shop, and unpaid bookings of them are cancelled."
      deletion={deleteBuyer}
    />
  );
}
