import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type HistoryPeriod,
  historyPeriods,
  type MoneyPeriod,
  readMoneyHistory,
} from '#contract/money/payouts.ts';
import { formatAmount } from '#contract/platform/scalars.ts';
import { FEWEST_IN_CHART } from '../../../money/fewest-in-chart.ts';
import { QueryView } from '../../../requests/query-view.tsx';
import { keyOf } from '../../../requests/reads.ts';
import { useApi } from '../../../session/session.tsx';
import { Radio } from '../../../ui/choice.tsx';
import { type Column, Table } from '../../../ui/table.tsx';

const dayFormat = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });
const monthFormat = new Intl.DateTimeFormat('en-US', { month: 'short', year: 'numeric', timeZone: 'UTC' });

const names = { week: 'Weeks', month: 'Months' } as const satisfies Record<HistoryPeriod, string>;

/** The name of a period: its month, or the first day of its week. */
const periodName = (by: HistoryPeriod, { from }: MoneyPeriod): string =>
  (by === 'week' ? dayFormat : monthFormat).format(new Date(`${from}T00:00:00Z`));

/** The chart's units: the width of a period, and the height of the highest bar. */
const PERIOD_WIDTH = 20;
const HEIGHT = 100;

/** The bars of the chart. Screen readers read the table instead. */
function Bars({ by, periods }: { by: HistoryPeriod; periods: readonly MoneyPeriod[] }) {
  const highest = Math.max(...periods.map(({ released, paid }) => Math.max(released, paid)));
  return (
    <div aria-hidden="true">
      <svg
        viewBox={`0 0 ${periods.length * PERIOD_WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="h-40 w-full border-border border-b"
        role="presentation"
      >
        {periods.map(({ from, released, paid }, index) => (
          <g key={from}>
            <rect
              className="fill-accent"
              x={index * PERIOD_WIDTH + 2}
              y={HEIGHT - (released / highest) * HEIGHT}
              width={PERIOD_WIDTH / 2 - 2}
              height={(released / highest) * HEIGHT}
            />
            <rect
              className="fill-primary"
              x={(index + 0.5) * PERIOD_WIDTH}
              y={HEIGHT - (paid / highest) * HEIGHT}
              width={PERIOD_WIDTH / 2 - 2}
              height={(paid / highest) * HEIGHT}
            />
          </g>
        ))}
      </svg>
      <p className="figures mt-1.5 flex justify-between text-muted text-sm">
        {[periods.at(0), periods.at(-1)].map(
          (period) => period && <span key={period.from}>{periodName(by, period)}</span>,
        )}
      </p>
      <p className="mt-2 flex flex-wrap gap-x-5 gap-y-1 text-sm">
        <span className="inline-flex items-center gap-2">
          <span className="size-3 rounded-sm bg-accent" /> Released
        </span>
        <span className="inline-flex items-center gap-2">
          <span className="size-3 rounded-sm bg-primary" /> Paid
        </span>
        <span className="text-muted">Highest: {formatAmount(highest)}</span>
      </p>
    </div>
  );
}

const columnsOf = (by: HistoryPeriod): Column<MoneyPeriod>[] => [
  { heading: by === 'week' ? 'Week from' : 'Month', lead: true, cell: (period) => periodName(by, period) },
  { heading: 'Released', figures: true, cell: ({ released }) => formatAmount(released) },
  { heading: 'Paid', figures: true, cell: ({ paid }) => formatAmount(paid) },
  { heading: 'Taken back', figures: true, cell: ({ takenBack }) => formatAmount(takenBack) },
];

interface HistoryProps {
  by: HistoryPeriod;
  periods: readonly MoneyPeriod[];
}

function PeriodsTable({ by, periods }: HistoryProps) {
  return (
    <Table
      caption="Released and paid money by period"
      columns={columnsOf(by)}
      rows={periods.toReversed()}
      rowKey={({ from }) => from}
    />
  );
}

/** The periods as a chart, and as a table on demand; of few ones the table alone. */
function History({ by, periods }: HistoryProps) {
  const moved = periods.filter(({ released, paid, takenBack }) => released + paid + takenBack > 0);
  if (moved.length === 0) {
    return <p className="text-muted">Nothing was released or paid in the last twelve {by}s.</p>;
  }
  if (moved.length < FEWEST_IN_CHART) return <PeriodsTable by={by} periods={moved} />;
  return (
    <>
      <Bars by={by} periods={periods} />
      <details className="mt-4">
        <summary className="min-h-9 cursor-pointer font-semibold text-link">As a table</summary>
        <div className="mt-2">
          <PeriodsTable by={by} periods={periods} />
        </div>
      </details>
    </>
  );
}

/** The seller's money per week or month. */
export function MoneyHistory() {
  const api = useApi();
  const [by, setBy] = useState<HistoryPeriod>('week');
  const history = useQuery({
    queryKey: keyOf(readMoneyHistory, { query: { by } }),
    queryFn: async ({ signal }) => ({
      by,
      periods: await api.call(readMoneyHistory, { query: { by }, signal }),
    }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });
  return (
    <section aria-labelledby="money-history" className="card">
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <h2 id="money-history" className="text-xl">
          Released and paid
        </h2>
        <fieldset className="flex min-w-0 flex-wrap gap-x-4">
          <legend className="sr-only">Period</legend>
          {historyPeriods.map((period) => (
            <label key={period} className="inline-flex min-h-9 items-center gap-2">
              <Radio name="period" value={period} checked={by === period} onChange={() => setBy(period)} />
              {names[period]}
            </label>
          ))}
        </fieldset>
      </div>

      <QueryView query={history} what="the history of your money" skeleton="h-48">
        {(shown) => <History {...shown} />}
      </QueryView>
    </section>
  );
}
