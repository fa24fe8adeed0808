import { Link } from 'react-router';
import { dismissReports, type ReportedItem, takeDownLaptop } from '#contract/listings/reports.ts';
import { formatAmount } from '#contract/platform/scalars.ts';
import { DateTime } from '../../../formats/date-time.tsx';
import { EmailAddress, EmailLink } from '../../../formats/email-address.tsx';
import { SellerBadge } from '../../../formats/seller-badge.tsx';
import { SellerName } from '../../../formats/seller-name.tsx';
import { type Decision, Decisions } from '../../../forms/decisions.tsx';
import { laptopUrl } from '../../../laptops/laptop-url.ts';
import { SlipCheck } from '../../../laptops/slip-check.tsx';
import { laptopStateTones } from '../../../lists/laptop-columns.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Photo } from '../../../ui/photo.tsx';
import { type Column, nameColumn, Table } from '../../../ui/table.tsx';

/** Who is told the result. The shop's own reports have no reporter; of many reports only the latest are known. */
function toldReporters({ reports, reportCount }: ReportedItem): string[] {
  const people = reports.filter(({ by, state }) => by === 'person' && state === 'Open').length;
  if (people === 0 && reports.length === reportCount) return [];
  return people === 1 && reports.length === reportCount
    ? ['A person who reported it is told the result by email.']
    : ['The people who reported it are told the result by email.'];
}

function decisionsOn(item: ReportedItem): Record<ReportedItem['actions'][number], Decision> {
  const { productName: name, productState } = item;
  const params = { _id: item._id };
  const reporters = toldReporters(item);
  return {
    dismiss: {
      button: 'Dismiss',
      busy: 'Dismissing',
      isDangerous: false,
      title: 'Dismiss the reports?',
      consequences: [
        productState === 'Available'
          ? 'The open reports are closed, and the laptop stays in the shop.'
          : 'The open reports are closed. Nothing else changes.',
        ...reporters,
        'The seller is not told.',
      ],
      field: 'note',
      label: 'Note',
      hint: 'Why, for the history and the audit trail. Only administrators read it.',
      endpoint: dismissReports,
      params,
      done: `The reports of ${name} are dismissed.`,
      alreadyDone: `The reports of ${name} were dismissed already.`,
    },
    takeDown: {
      button: 'Take down',
      busy: 'Taking down',
      isDangerous: true,
      title: 'Take it down?',
      consequences: [
        'The laptop leaves the shop at once, its advertisement too. This cannot be undone.',
        'Its seller is told by email, with your note, and reads it on My Products.',
        'Unpaid bookings of it are cancelled, and their buyers are told.',
        ...reporters,
      ],
      field: 'note',
      label: 'Note to the seller',
      hint: 'Why it leaves the shop, and what the seller can do.',
      endpoint: takeDownLaptop,
      params,
      done: `${name} is taken down.`,
      alreadyDone: `${name} was taken down already.`,
    },
  };
}

type ShopReport = Extract<ReportedItem['reports'][number], { by: 'shop' }>;

const states = {
  Available: 'for sale',
  Sold: 'sold',
  'Taken down': 'taken down',
  Withdrawn: 'withdrawn',
  Blocked: 'not for sale now',
};

/** The listing that the shop's report compares with, and the photo that both show. */
function OtherListing({ report: { otherLaptop, photos } }: { report: ShopReport }) {
  return (
    <span className="mt-2 block">
      Other listing:{' '}
      <Link to={laptopUrl(otherLaptop)} className="font-semibold underline">
        {otherLaptop.name}
      </Link>
      , {states[otherLaptop.state]}
      {photos !== undefined && (
        <span className="mt-2 grid max-w-80 grid-cols-2 gap-3">
          {Object.entries({ 'This listing': photos.reported, 'The other listing': photos.other }).map(
            ([name, url]) => (
              <span key={name} className="min-w-0 text-muted text-sm">
                <Photo url={url} alt="" sizes="160px" className="aspect-4/3 w-full rounded-lg object-cover" />
                {name}
              </span>
            ),
          )}
        </span>
      )}
    </span>
  );
}

type Report = ReportedItem['reports'][number];

const reportTones = { Open: 'warm', Dismissed: 'neutral', 'Taken down': 'bad' } as const;

function Laptop({ item }: { item: ReportedItem }) {
  return (
    <div className="flex w-full flex-wrap gap-4">
      {item.image === '' ? (
        <span className="h-[72px] w-[96px] shrink-0 rounded-lg bg-photo sm:h-24 sm:w-32" />
      ) : (
        <Photo
          url={item.image}
          alt={`${item.productName}, photographed by its seller`}
          sizes="128px"
          className="h-[72px] w-[96px] shrink-0 rounded-lg object-cover sm:h-24 sm:w-32"
        />
      )}
      <div className="min-w-0 flex-1 basis-[9rem]">
        <h2 id={`reported-${item._id}`} tabIndex={-1} className="text-xl outline-offset-4">
          <Link to={laptopUrl({ _id: item._id, name: item.productName })} className="hover:underline">
            {item.productName}
          </Link>
        </h2>
        <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="figures font-semibold">{formatAmount(item.price)}</span>
          <span className="text-muted">{item.category_Id}</span>
          <Badge tone={laptopStateTones[item.productState]}>{item.productState}</Badge>
        </p>
        <p className="mt-2 flex flex-wrap items-center gap-x-2.5 gap-y-1 [overflow-wrap:anywhere]">
          <span className="sr-only">Seller: </span>
          <SellerName name={item.sellerName} id={item.sellerId} rating={item.sellerRating} />
          <EmailLink>{item.sellerEmail}</EmailLink>
          <SellerBadge verified={item.sellerVerified} />
        </p>
      </div>
    </div>
  );
}

const columns: Column<Report>[] = [
  nameColumn('Reason', ({ reason }) => reason),
  {
    heading: 'Note',
    cell: (report) =>
      report.note === '' ? (
        <span className="text-muted">No note</span>
      ) : (
        <span className="block min-w-28 max-w-prose whitespace-pre-line wrap-anywhere">
          {report.note}
          {report.by === 'shop' && <OtherListing report={report} />}
        </span>
      ),
  },
  {
    heading: 'Reported by',
    cell: (report) => (
      <span className="block min-w-36 text-right wrap-anywhere @2xl:text-left @min-[52rem]:min-w-54">
        {report.by === 'shop' ? (
          'Reported by the shop'
        ) : (
          <>
            {report.reporterName}{' '}
            <span className="block text-muted text-sm">
              <EmailAddress>{report.reporterEmail}</EmailAddress>
            </span>
          </>
        )}
      </span>
    ),
  },
  { heading: 'When', cell: ({ reportedAt }) => <DateTime at={reportedAt} /> },
  { heading: 'State', cell: ({ state }) => <Badge tone={reportTones[state]}>{state}</Badge> },
];

function History({ item }: { item: ReportedItem }) {
  if (item.history.length === 0) return null;
  return (
    <section aria-label={`History of ${item.productName}`}>
      <h3 className="text-lg">History</h3>
      <ol className="mt-2 flex flex-col divide-y divide-border">
        {item.history.map((entry) => (
          <li key={entry._id} className="flex flex-wrap justify-between gap-x-6 gap-y-1 py-2.5">
            <span className="min-w-0 [overflow-wrap:anywhere]">
              <strong className="font-semibold">{entry.act}</strong>, {entry.adminName}
              {entry.note !== '' && (
                <span className="mt-0.5 block max-w-prose whitespace-pre-line">“{entry.note}”</span>
              )}
            </span>
            <DateTime at={entry.at} />
          </li>
        ))}
      </ol>
    </section>
  );
}

interface ReportedLaptopProps {
  item: ReportedItem;
  /** Refetches the laptop. */
  refresh: () => Promise<void>;
}

/** A reported laptop with its seller, its latest reports, its history and the available decisions. */
export function ReportedLaptop({ item, refresh }: ReportedLaptopProps) {
  const { openReportCount: open } = item;
  const decisions = decisionsOn(item);
  return (
    <article aria-labelledby={`reported-${item._id}`} className="card flex flex-col gap-5 shadow-card">
      <div className="flex flex-wrap items-start justify-between gap-4 sm:flex-nowrap">
        <Laptop item={item} />
        <Badge tone={open > 0 ? 'warm' : 'neutral'}>
          {open === 0 ? 'Resolved' : open === 1 ? '1 open report' : `${open} open reports`}
        </Badge>
      </div>
      <Table
        caption={`Reports of ${item.productName}`}
        columns={columns}
        rows={item.reports}
        rowKey={(report) => report._id}
      />
      {item.reports.length < item.reportCount && (
        <p className="text-muted text-sm">
          The latest {item.reports.length} of {item.reportCount} reports.
        </p>
      )}
      <SlipCheck slip={item.slip} />
      <History item={item} />
      <Decisions
        name={item.productName}
        decisions={item.actions.map((action) => decisions[action])}
        refresh={refresh}
      >
        {item.productState === 'Sold' && (
          <p className="text-muted text-sm">It is sold and paid for, so it can no longer be taken down.</p>
        )}
      </Decisions>
    </article>
  );
}
