import { useState } from 'react';
import { href } from 'react-router';
import { listWithdrawnLaptops, type OwnLaptop, relistLaptop } from '#contract/listings/catalogue.ts';
import { MAXIMUM_ABSENCE_DAYS } from '#contract/listings/levels.ts';
import { formatPostedTime } from '../../../formats/posted-time.ts';
import { laptopColumns } from '../../../lists/laptop-columns.tsx';
import { ListTable } from '../../../lists/list-view.tsx';
import { useList } from '../../../lists/use-list.ts';
import { useWrite } from '../../../requests/use-write.ts';
import { LinkButton, SmallButton } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { actionColumn, type Column } from '../../../ui/table.tsx';

/** Lists a laptop again. The row moves to the seller's products with the refetched lists. */
function SellAgain({ laptop: { _id, name } }: { laptop: OwnLaptop }) {
  const relisting = useWrite(relistLaptop, { done: `${name} is for sale again.`, untilRead: true });
  return (
    <SmallButton
      aria-label={`Sell again: ${name}`}
      busy={relisting.isPending && 'Listing'}
      onClick={() =>
        relisting.mutate({ params: { _id }, body: { posted_time: formatPostedTime(new Date()) } })
      }
    >
      Sell again
    </SmallButton>
  );
}

/** A laptop that a buyer sent back as not working or not as described. */
function MeasureFirst({ laptop: { _id, name } }: { laptop: OwnLaptop }) {
  return (
    <span className="flex flex-col items-end gap-2 @2xl:items-start">
      <LinkButton
        variant="secondary"
        size="small"
        to={href('/dashboard/measure/:id', { id: _id })}
        aria-label={`Measure ${name}`}
      >
        Measure
      </LinkButton>
      <span className="block min-w-32 max-w-xs text-right text-sm wrap-anywhere @2xl:text-left">
        A buyer found it not working or not as described. Measure it again, then sell it again.
      </span>
    </span>
  );
}

const columns: Column<OwnLaptop>[] = [
  ...laptopColumns<OwnLaptop>((laptop) => ({ ...laptop, price: laptop.resale_price })),
  actionColumn(
    (laptop) =>
      laptop.actions.includes('measure') ? <MeasureFirst laptop={laptop} /> : <SellAgain laptop={laptop} />,
    'Sell again',
  ),
];

function WithdrawnTable() {
  const laptops = useList(listWithdrawnLaptops);
  return (
    <ListTable
      list={laptops}
      what="your deleted and returned laptops"
      columns={columns}
      emptyTitle="No deleted or returned laptops"
      empty="A laptop that you delete, or that comes back from a sale, can be sold again here."
    />
  );
}

/** The seller's withdrawn laptops, loaded when opened. */
export function WithdrawnLaptops() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className="group mt-10" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className="inline-flex min-h-11 cursor-pointer list-none items-center gap-1.5 py-2.5 font-semibold [&::-webkit-details-marker]:hidden">
        Deleted and returned laptops
        <Icon name="chevronDown" className="size-4 group-open:rotate-180" />
      </summary>
      <p className="mt-1 mb-4 text-muted">
        Sell one again and it is listed as new, with its photos and its price. Earlier bookings stay
        cancelled. After more than {MAXIMUM_ABSENCE_DAYS} days, an earlier measurement or inspection does not
        count any more.
      </p>
      {isOpen && <WithdrawnTable />}
    </details>
  );
}
