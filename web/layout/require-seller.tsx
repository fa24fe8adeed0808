import { Outlet } from 'react-router';
import { TermsNote } from '../content/terms-note.tsx';
import { AddRoleButton } from '../forms/add-role-button.tsx';
import { SellerTerms } from '../money/seller-terms.tsx';
import { useRoles } from '../session/roles.ts';
import { EmptyState } from '../ui/states.tsx';
import { RequireRole } from './require-role.tsx';

/** Requires a seller for the pages below. A buyer can become one here. */
export default function RequireSeller() {
  const roles = useRoles();
  if (roles.status === 'known' && roles.isSeller && !roles.secondFactorDue) return <Outlet />;
  if (roles.status !== 'known' || roles.isSeller || !roles.isBuyer)
    return <RequireRole required="isSeller" users="sellers" />;
  return (
    <EmptyState heading="h1" title="Sell here, too" action={<AddRoleButton adds="Seller" />}>
      <p>
        You buy with this account. It can sell as well: your orders, wishlist and messages stay as they are.
      </p>
      <p className="my-3">
        <SellerTerms />
      </p>
      <TermsNote by="starting to sell" />
    </EmptyState>
  );
}
