import { href, useSearchParams } from 'react-router';
import { formatAmount } from '#contract/platform/scalars.ts';
import { listOrders, MAXIMUM_ORDER_SEARCH, type OrderItem } from '#contract/sales/orders.ts';
import { DateTime } from '../../../formats/date-time.tsx';
import { PageHeading } from '../../../layout/page-heading.tsx';
import { PicturedName } from '../../../lists/laptop-columns.tsx';
import { ListSearch } from '../../../lists/list-search.tsx';
import { ListTable } from '../../../lists/list-view.tsx';
import { OrderStateCell } from '../../../orders/order-state.tsx';
import { SecondaryLink } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import type { Column } from '../../../ui/table.tsx';

const columns: Column<OrderItem>[] = [
  {
    heading: 'Order',
    lead: true,
    cell: ({ _id, image, productName, buyerName, sellerName }) => (
      <PicturedName
        image={image}
        name={productName}
        details={`${buyerName} bought from ${sellerName}`}
        to={href('/dashboard/order/:id', { id: _id })}
      />
    ),
  },
  { heading: 'Price', figures: true, cell: ({ price }) => formatAmount(price) },
  { heading: 'Paid', cell: ({ placedAt }) => <DateTime at={placedAt} /> },
  { heading: 'State', cell: (order) => <OrderStateCell order={order} /> },
];

/** All orders of the shop, for admins. */
export default function AllOrders() {
  const [parameters] = useSearchParams();
  const search = (parameters.get('search') ?? '').trim().slice(0, MAXIMUM_ORDER_SEARCH);
  return (
    <>
      <PageHeading title="All Orders">
        Every paid order, newest first. Whoever opens one is recorded in the audit trail.
      </PageHeading>
      <ListSearch
        label="Search by buyer or seller, or by a tracking, receipt, order or payment number"
        search={search}
        maxLength={MAXIMUM_ORDER_SEARCH}
      />
      <ListTable
        endpoint={listOrders}
        parameters={{ query: search === '' ? {} : { search } }}
        what="the orders"
        columns={columns}
        empty={
          search === '' ? (
            <EmptyState title="No orders yet">Each paid laptop appears here.</EmptyState>
          ) : (
            <EmptyState
              title={`No order matches “${search}”`}
              action={
                <SecondaryLink to="?" replace preventScrollReset>
                  Show all orders
                </SecondaryLink>
              }
            >
              The search looks for these letters in the names and email addresses of buyers and sellers, and
              for the whole text among the numbers.
            </EmptyState>
          )
        }
      />
    </>
  );
}
