import { AddRoleButton } from '../../../forms/add-role-button.tsx';
import { SellerTerms } from '../../../payouts/seller-terms.tsx';
import { useRoles } from '../../../session/roles.ts';
import { CardSection } from '../../../ui/section.tsx';

/** What the account does, and the button to do both; nothing for admins. */
export function BuyingAndSelling() {
  const roles = useRoles();
  if (roles.status !== 'known' || roles.isAdmin) return null;
  return (
    <CardSection title="Buying and selling">
      {roles.isBuyer && roles.isSeller ? (
        <p className="max-w-prose text-muted">You buy and sell with this account.</p>
      ) : roles.isBuyer ? (
        <>
          <p className="max-w-prose text-muted">
            You buy with this account. It can sell as well. <SellerTerms />
          </p>
          <AddRoleButton adds="Seller" variant="secondary" size="small" />
        </>
      ) : (
        <>
          <p className="max-w-prose text-muted">
            You sell with this account. It can buy as well, only not your own laptops.
          </p>
          <AddRoleButton adds="Buyer" variant="secondary" size="small" />
        </>
      )}
    </CardSection>
  );
}
