import { href, Link } from 'react-router';
import * as z from 'zod/mini';
import { readLaptop } from '#contract/catalogue.ts';
import { Problem } from '#contract/client.ts';
import { Id } from '#contract/scalars.ts';
import { comparisonUrl, MAXIMUM_COMPARED, removeFromComparison } from '../../../laptops/compared-laptops.ts';
import { laptopUrl } from '../../../laptops/laptop-url.ts';
import { privateMeta } from '../../../metadata/page-meta.ts';
import { serverContext } from '../../../server-context.ts';
import { LinkButton } from '../../../ui/button.tsx';
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
    laptops: laptops.map(({ _id, name, image }) => ({ _id, name, image })),
    rows: compareRows(laptops),
    isIncomplete: laptops.length < ids.length,
  };
}

export const meta: Route.MetaFunction = () => privateMeta('Compare laptops');

type Compared = Route.ComponentProps['loaderData']['laptops'];

function LaptopHeading({ laptop, laptops }: { laptop: Compared[number]; laptops: Compared }) {
  return (
    <th scope="col" className="min-w-44 p-3 text-left align-top font-normal">
      <Photo
        url={laptop.image}
        alt=""
        sizes="(width >= 64rem) 16rem, 11rem"
        className="aspect-[4/3] w-full rounded-lg object-cover"
      />
      <Link
        to={laptopUrl(laptop)}
        prefetch="intent"
        className="mt-2 block font-semibold text-aubergine underline underline-offset-4 [overflow-wrap:anywhere]"
      >
        {laptop.name}
      </Link>
      <Link
        to={comparisonUrl(laptops.filter((other) => other !== laptop))}
        preventScrollReset
        onClick={() => removeFromComparison(laptop._id)}
        className="mt-1 inline-flex min-h-8 items-center text-quiet text-sm underline underline-offset-4 hover:text-ink"
      >
        Remove<span className="sr-only"> {laptop.name}</span>
      </Link>
    </th>
  );
}

function Row({ row: { name, values, differs }, laptops }: { row: CompareRow; laptops: Compared }) {
  return (
    <tr className="border-line border-t">
      <th
        scope="row"
        className="sticky left-0 z-1 w-32 bg-paper p-3 text-left align-top font-semibold sm:w-44"
      >
        {name}
        {differs && <span className="block font-normal text-quiet text-sm">differs</span>}
      </th>
      {laptops.map(({ _id }, index) => (
        <td
          key={_id}
          className={`figures p-3 align-top [overflow-wrap:anywhere] ${differs ? 'bg-orange-soft' : ''}`}
        >
          {values[index] === '' ? <span className="text-quiet">not stated</span> : values[index]}
        </td>
      ))}
    </tr>
  );
}

export default function ComparePage({ loaderData: { laptops, rows, isIncomplete } }: Route.ComponentProps) {
  return (
    <div className="page-width min-h-svh py-8 sm:py-12">
      <h1 className="text-3xl sm:text-4xl">Compare laptops</h1>
      {isIncomplete && (
        <p className="mt-4 rounded-lg bg-sunken px-4 py-3">
          A laptop that you chose is no longer shown in the shop. It is left out.
        </p>
      )}
      {laptops.length === 0 ? (
        <div className="mt-6">
          <EmptyState
            title="Nothing to compare yet"
            action={
              <LinkButton variant="secondary" to={href('/laptops')}>
                Choose laptops
              </LinkButton>
            }
          >
            Tick “Compare” on up to {MAXIMUM_COMPARED} laptops in the search results.
          </EmptyState>
        </div>
      ) : (
        <>
          <p className="mt-2 text-quiet">
            {laptops.length === 1
              ? 'Choose another laptop in the search results to see what differs.'
              : 'Rows with different values are coloured and marked “differs”.'}
          </p>
          <section
            aria-label="Comparison"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
            tabIndex={0}
            className="relative mt-6 overflow-x-auto"
          >
            <table className="w-full border-collapse">
              <caption className="sr-only">The compared laptops, a column each</caption>
              <thead>
                <tr>
                  <td className="sticky left-0 z-1 w-32 bg-paper sm:w-44" />
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
            <LinkButton variant="secondary" to={href('/laptops')}>
              Choose other laptops
            </LinkButton>
          </p>
        </>
      )}
    </div>
  );
}
