import { AddRoleButton } from '../forms/add-role-button.tsx';
import { Notice } from '../ui/notice.tsx';

/** Why a person of another role cannot book, and for a seller the button to buy as well. */
export function NotBuyer({ isSeller }: { isSeller: boolean }) {
  const role = isSeller ? 'a seller' : 'an administrator';
  return (
    <Notice className="flex flex-col items-start gap-3 text-muted">
      <p>Booking and the wishlist are for buyers. You are signed in as {role}.</p>
      {isSeller && <AddRoleButton adds="Buyer" variant="secondary" size="small" />}
    </Notice>
  );
}
