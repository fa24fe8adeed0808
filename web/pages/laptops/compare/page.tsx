import { href, Link } from 'react-router';
import * as z from 'zod/mini';
import { readLaptop } from '#contract/listings/catalogue.ts';
import { Problem } from '#contract/platform/client.ts';
import { Id } from '#contract/platform/scalars.ts';
import { comparisonUrl, MAXIMUM_COMPARED, removeFromComparison } from '../../../laptops/compared-laptops.ts';
import { laptopUrl } from '../../../laptops/laptop-url.ts';
import { wishIntent } from '../../../laptops/wish-intent.ts';
import { privateMeta } from '../../../metadata/page-meta.ts';
import { serverContext } from '../../../server-context.ts';
import { LinkButton, SecondaryLink } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { NeedsScripts } from '../../../ui/needs-scripts.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Photo } from '../../../ui/photo.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import type { Route } from './+types/page.ts';
import { type CompareRow, compareRows } from './compare-rows.ts';

export async function loader({ url, context }: Route.LoaderArgs) {
  const { client } = context.get(serverContext);
  const given = url.searchParams.getAll('id').filter((id) => z.safeParse(Id, id).success);
  const ids = [...new Set(given)].slice(0, MAXIMUM_COMPARED);
  const found = await Promise.all(
    ids.map((_id) =>
      client.call(readLaptop, { params: { _id } }).catch((error: unknown) => {
        // Removed laptops are left out.
        if (error instanceof Problem && (error.status === 404 || error.status === 410)) return null;
        throw error;
      }),
    ),
  );
  const laptops = found.filter((laptop) => laptop !== null);
  return {
    laptops: laptops.map(({ _id, name, image, paid }) => ({ _id, name, image, paid })),
    rows: compareRows(laptops),
    isIncomplete: laptops.length < ids.length,
  };
}

export const meta: Route.MetaFunction = privateMeta('Compare laptops');

type Compared = Route.ComponentProps['loaderData']['laptops'];

const plain =
  'inline-flex min-h-8 items-center text-muted text-sm underline underline-offset-4 hover:text-foreground';

function LaptopHeading({ laptop, laptops }: { laptop: Compared[number]; laptops: Compared }) {
  const url = laptopUrl(laptop);
  const name = <span className="sr-only"> {laptop.name}</span>;
  return (
    <th scope="col" className="px-2 pb-3 text-left align-top font-normal sm:px-3">
      <Photo
        url={laptop.image}
        alt=""
        sizes="(width >= 64rem) 16rem, 11rem"
        className="aspect-[4/3] w-full rounded-lg object-cover"
      />
      <Link
        to={url}
        className="link mt-2 block min-h-[2lh] font-semibold leading-snug [overflow-wrap:anywhere]"
      >
        {laptop.name}
      </Link>
      {laptop.paid ? (
        <p className="mt-2 flex min-h-9 items-center font-semibold">Sold</p>
      ) : (
        <LinkButton
          to={`${url}?book=yes`}
          rel="nofollow"
          variant="tinted"
          size="small"
          className="mt-2 w-full"
        >
          Book now{name}
        </LinkButton>
      )}
      <p className="mt-1 flex flex-wrap gap-x-4">
        {!laptop.paid && (
          <Link
            to={`${url}?wish=yes`}
            rel="nofollow"
            onClick={() => wishIntent.set(laptop._id)}
            className={plain}
          >
            Add to Wishlist{name}
          </Link>
        )}
        <Link
          to={comparisonUrl(laptops.filter((other) => other !== laptop))}
          preventScrollReset
          onClick={() => removeFromComparison(laptop._id)}
          className={plain}
        >
          Remove{name}
        </Link>
      </p>
    </th>
  );
}

interface RowProps {
  row: CompareRow;
  laptops: Compared;
}

/** A value; a link where it leads to a page. */
function Value({ value, path }: { value: string | undefined; path: string | undefined }) {
  if (value === undefined || value === '') return <span className="text-muted">not stated</span>;
  if (path === undefined) return value;
  return (
    <Link to={path} className="underline underline-offset-4">
      {value}
    </Link>
  );
}

function Row({ row: { name, values, best, differs, paths }, laptops }: RowProps) {
  const isSame = !differs && laptops.length > 1;
  return (
    <tr className={`border-border border-t ${isSame ? 'text-muted' : ''}`}>
      <th
        scope="row"
        className="left-0 z-1 bg-background py-3 @xs:sticky pr-2 text-left align-top font-semibold max-sm:text-sm sm:pr-3"
      >
        {name}
        {isSame && <span className="block font-normal text-sm">the same</span>}
      </th>
      {laptops.map(({ _id }, index) => (
        <td key={_id} className="figures p-2 py-3 align-top [overflow-wrap:anywhere] max-sm:text-sm sm:px-3">
          <Value value={values[index]} path={paths?.[index]} />
          {(best[index] ?? null) !== null && (
            <span className="mt-0.5 flex items-start gap-1 font-semibold text-success text-sm">
              <Icon name="check" strokeWidth="2.5" className="mt-0.5 size-4 shrink-0" />
              {best[index]}
            </span>
          )}
        </td>
      ))}
    </tr>
  );
}

/**
 * The least width of the table by the number of laptops: two columns and the edge of the next one fit on a phone, three on a
 * tablet. A column is at least 7rem wide. With large text it scrolls, and the names of the rows do not stay.
 */
const tableWidths = [
  ...['', 'min-w-[12.5rem]', 'min-w-[19.5rem]'],
  'min-w-[calc(5.5rem+3*max(7rem,(100cqw-5.5rem)/2.2))] sm:min-w-[41rem]',
  'min-w-[calc(5.5rem+4*max(7rem,(100cqw-5.5rem)/2.2))] sm:min-w-[52rem]',
];

export default function ComparePage({ loaderData: { laptops, rows, isIncomplete } }: Route.ComponentProps) {
  return (
    <div className="page-width min-h-svh py-8 sm:py-12">
      <h1 className="text-3xl sm:text-4xl">Compare laptops</h1>
      {isIncomplete && (
        <Notice className="mt-4">
          A laptop that you chose is no longer shown in the shop. It is left out.
        </Notice>
      )}
      {laptops.length === 0 ? (
        <div className="mt-6">
          <EmptyState
            title="Nothing to compare yet"
            action={<SecondaryLink to={href('/laptops')}>Choose laptops</SecondaryLink>}
          >
            Tick “Compare” on up to {MAXIMUM_COMPARED} laptops in the search results.
            <NeedsScripts className="mt-2" />
          </EmptyState>
        </div>
      ) : (
        <>
          <p className="mt-2 text-muted">
            {laptops.length === 1
              ? 'Choose another laptop in the search results to see what differs.'
              : 'The best value of each row is marked. Rows with equal values are grey and come last.'}
          </p>
          {laptops.length > 2 && (
            <p className="mt-1 text-muted sm:hidden">Swipe the table sideways to see all {laptops.length}.</p>
          )}
          <section
            aria-label="Comparison"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
            tabIndex={0}
            className="@container relative mt-6 overflow-x-auto"
          >
            <table className={`w-full table-fixed border-collapse ${tableWidths[laptops.length] ?? ''}`}>
              <caption className="sr-only">The compared laptops, a column each</caption>
              <thead>
                <tr>
                  <td className="left-0 z-1 w-22 bg-background @xs:sticky sm:w-40" />
                  {laptops.map((laptop) => (
                    <LaptopHeading key={laptop._id} laptop={laptop} laptops={laptops} />
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows.map((row) => (
                  <Row key={row.name} row={row} laptops={laptops} />
                ))}
              </tbody>
            </table>
          </section>
          <p className="mt-6">
            <SecondaryLink to={href('/laptops')}>Choose other laptops</SecondaryLink>
          </p>
        </>
      )}
    </div>
  );
}
