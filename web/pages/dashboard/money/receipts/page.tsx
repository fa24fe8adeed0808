import { href } from 'react-router';
import { listReceipts } from '#contract/money/accounting.ts';
import { today } from '../../../../formats/shop-days.ts';
import { PageHeading } from '../../../../layout/page-heading.tsx';
import { ListTable } from '../../../../lists/list-view.tsx';
import { numberColumn, saleColumns } from '../../../../money/receipt-columns.tsx';
import { useRoles } from '../../../../session/roles.ts';
import { useSettings } from '../../../../session/session.tsx';
import { SecondaryLink } from '../../../../ui/button.tsx';

const columns = [numberColumn, ...saleColumns];

/** The signed-in user's receipts, and a seller's way to the statements. */
export default function Receipts() {
  const roles = useRoles();
  const { timeZone } = useSettings();
  const isSeller = roles.status === 'known' && roles.isSeller;
  return (
    <>
      <PageHeading
        title="Receipts"
        action={
          isSeller && (
            <SecondaryLink to={href('/dashboard/statement/:month', { month: today(timeZone).slice(0, 7) })}>
              Monthly statement
            </SecondaryLink>
          )
        }
      >
        For each purchase, commission and refund, the newest first.
      </PageHeading>
      <ListTable
        endpoint={listReceipts}
        what="your receipts"
        columns={columns}
        emptyTitle="No receipts yet"
        empty="A receipt appears here when you have paid for a laptop, and a commission note when the money of a sale is yours."
      />
    </>
  );
}
