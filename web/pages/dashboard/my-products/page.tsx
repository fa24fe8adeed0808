import { useState } from 'react';
import { href, Link } from 'react-router';
import {
  advertiseLaptop,
  deleteOwnLaptop,
  listOwnLaptops,
  type OwnLaptop,
  relistLaptop,
} from '#contract/listings/catalogue.ts';
import { MAXIMUM_ABSENCE_DAYS } from '#contract/listings/levels.ts';
import { toLevelMark } from '../../../formats/level-mark.ts';
import { formatPostedTime } from '../../../formats/posted-time.ts';
import { WriteButton } from '../../../forms/write-button.tsx';
import { PageHeading } from '../../../layout/page-heading.tsx';
import { laptopColumns, laptopStateTones } from '../../../lists/laptop-columns.tsx';
import { ListTabs, useChosenList } from '../../../lists/list-tabs.tsx';
import { ListTable, useList } from '../../../lists/list-view.tsx';
import { RowAction } from '../../../lists/row-action.tsx';
import { RowMenu } from '../../../lists/row-menu.tsx';
import { usePerson } from '../../../session/session.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { LinkButton } from '../../../ui/button.tsx';
import { Details } from '../../../ui/details.tsx';
import { Section } from '../../../ui/section.tsx';
import { actionColumn, type Column, menuColumn } from '../../../ui/table.tsx';

function State({ laptop }: { laptop: OwnLaptop }) {
  const { _id, name, state, takenDownNote } = laptop;
  const isMeasurable = state === 'Available' || state === 'Blocked';
  return (
    <span className="flex flex-wrap items-center justify-end gap-x-3 @2xl:flex-col @2xl:items-start">
      <Badge tone={laptopStateTones[state]}>{state}</Badge>
      {state !== 'Withdrawn' && (
        <span className="text-muted text-sm">
          {toLevelMark(laptop).text}
          {isMeasurable && (
            <>
              {' · '}
              <Link
                to={href('/dashboard/measure/:id', { id: _id })}
                aria-label={`Measure ${name}`}
                className="link inline-block min-h-6 py-0.5"
              >
                Measure
              </Link>
            </>
          )}
        </span>
      )}
      {state === 'Blocked' && (
        <span className="block min-w-32 max-w-xs text-right text-sm wrap-anywhere @2xl:text-left">
          A lock was found when it was measured, so buyers cannot see or buy it. “Measure” says how to release
          it; measure it again afterwards.
        </span>
      )}
      {takenDownNote !== undefined && takenDownNote !== '' && (
        <span className="block min-w-32 max-w-xs whitespace-pre-line text-right text-sm wrap-anywhere @2xl:text-left">
          <span className="text-muted">The shop’s reason:</span> {takenDownNote}
        </span>
      )}
    </span>
  );
}

function Advertising({ laptop }: { laptop: OwnLaptop }) {
  const isAdvertised = laptop.state === 'Available' && laptop.advertisement;
  if (!isAdvertised && !laptop.actions.includes('advertise')) return null;
  return (
    <RowAction
      label="Advertise"
      busyLabel="Advertising"
      name={laptop.name}
      variant="secondary"
      endpoint={advertiseLaptop}
      input={{ params: { _id: laptop._id } }}
      done={{
        title: 'Advertisement Successful!',
        message: `The advertisement of ${laptop.name} will show in Homepage`,
      }}
    >
      {isAdvertised ? <Badge tone="trust">On Advertise</Badge> : undefined}
    </RowAction>
  );
}

/** Nothing can be done with a sold laptop. */
const soldColumns: Column<OwnLaptop>[] = [
  ...laptopColumns<OwnLaptop>((laptop) => ({ ...laptop, price: laptop.resale_price })),
  { heading: 'State', cell: (laptop) => <State laptop={laptop} /> },
];

const lists = [
  { name: 'all', label: 'All' },
  { name: 'unsold', label: 'Unsold' },
  { name: 'sold', label: 'Sold' },
] as const;

/** Lists a laptop again; one that a buyer did not keep because of its condition is measured first. */
function SellAgain({ laptop: { _id, name, actions } }: { laptop: OwnLaptop }) {
  if (!actions.includes('measure')) {
    return (
      <WriteButton
        endpoint={relistLaptop}
        input={() => ({ params: { _id }, body: { posted_time: formatPostedTime(new Date()) } })}
        done={`${name} is for sale again.`}
        aria-label={`Sell again: ${name}`}
        busy="Listing"
      >
        Sell again
      </WriteButton>
    );
  }
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
        A buyer sent it back or did not take it. Measure it, then sell it again.
      </span>
    </span>
  );
}

const withdrawnColumns: Column<OwnLaptop>[] = [
  ...laptopColumns<OwnLaptop>((laptop) => ({ ...laptop, price: laptop.resale_price })),
  actionColumn((laptop) => <SellAgain laptop={laptop} />, 'Sell again'),
];

/** The seller's withdrawn laptops, loaded when opened. */
function WithdrawnLaptops({ email }: { email: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Details summary="Deleted and returned laptops" className="mt-10" open={isOpen} onOpenChange={setIsOpen}>
      <p className="mb-4 text-muted">
        Sell one again and it is listed as new, with its photos and its price. Earlier bookings stay
        cancelled. After more than {MAXIMUM_ABSENCE_DAYS} days, an earlier measurement or inspection does not
        count any more.
      </p>
      {isOpen && (
        <ListTable
          endpoint={listOwnLaptops}
          parameters={{ query: { email, list: 'withdrawn' } }}
          what="your deleted and returned laptops"
          columns={withdrawnColumns}
          emptyTitle="No deleted or returned laptops"
          empty="A laptop that you delete, or that comes back from a sale, can be sold again here."
        />
      )}
    </Details>
  );
}

export default function MyProducts() {
  const { email } = usePerson();
  const chosen = useChosenList(['all', 'unsold', 'sold']);
  const soldOnes = { query: { email, list: 'sold' } };
  const sold = useList(listOwnLaptops, soldOnes);
  const hasSold = sold.data?.pages.some(({ items }) => items.length > 0) === true;

  const columns: Column<OwnLaptop>[] = [
    ...soldColumns,
    {
      heading: 'Advertisement',
      cell: (laptop) =>
        laptop.actions.includes('edit') && (
          <span className="flex flex-wrap items-center gap-2 @2xl:justify-between @4xl:flex-nowrap">
            <Advertising laptop={laptop} />
            <LinkButton
              variant="secondary"
              size="small"
              to={href('/dashboard/editProduct/:id', { id: laptop._id })}
              aria-label={`Edit ${laptop.name}`}
              className="@max-2xl:min-h-11"
            >
              Edit
            </LinkButton>
          </span>
        ),
    },
    menuColumn(
      (laptop) =>
        laptop.actions.includes('delete') && (
          <RowMenu
            name={laptop.name}
            deletion={{
              consequence: 'Unpaid bookings of it are cancelled.',
              endpoint: deleteOwnLaptop,
              _id: laptop._id,
            }}
          />
        ),
      'More actions',
    ),
  ];

  return (
    <>
      <PageHeading
        title="My Products"
        action={<LinkButton to={href('/dashboard/addProduct')}>Add Product</LinkButton>}
      >
        Your laptops, sold and unsold. Removed listings show the reason.
      </PageHeading>
      {(hasSold || chosen !== 'all') && (
        <ListTabs label="Lists of your products" tabs={lists} chosen={chosen} />
      )}
      {chosen !== 'sold' && (
        <ListTable
          endpoint={listOwnLaptops}
          parameters={{ query: { email, list: 'unsold' } }}
          what="your products"
          columns={columns}
          emptyTitle={hasSold ? 'Nothing for sale now' : 'Nothing listed yet'}
          emptyAction={
            !hasSold && <LinkButton to={href('/dashboard/addProduct')}>Add your first laptop</LinkButton>
          }
          empty="A laptop needs a name, a photo, two prices and a description. It is for sale as soon as you have added it."
        />
      )}
      {chosen !== 'unsold' && (
        <Section
          title="Sold"
          id="sold"
          heading="mb-3 text-xl"
          className={chosen === 'sold' ? '' : 'mt-10'}
          // Not left out: a list that is mounted later would be read once more.
          hidden={!hasSold && !sold.isError && chosen !== 'sold'}
        >
          <ListTable
            endpoint={listOwnLaptops}
            parameters={soldOnes}
            what="your sold products"
            columns={soldColumns}
            emptyTitle="Nothing sold yet"
            empty="A laptop appears here when its buyer has paid."
          />
        </Section>
      )}
      <WithdrawnLaptops email={email} />
    </>
  );
}
