import { useState } from 'react';
import {
  type HistoryPeriod,
  historyPeriods,
  type MoneyPeriod,
  readMoneyHistory,
} from '#contract/money/payouts.ts';
import { formatAmount } from '#contract/platform/scalars.ts';
import { BarChart, FEWEST_IN_CHART } from '../../../money/bar-chart.tsx';
import { QueryView } from '../../../requests/query-view.tsx';
import { useRead } from '../../../requests/reads.ts';
import { Radio } from '../../../ui/choice.tsx';
import { Details } from '../../../ui/details.tsx';
import { type Column, Table } from '../../../ui/table.tsx';

const dayFormat = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });
const monthFormat = new Intl.DateTimeFormat('en-US', { month: 'short', year: 'numeric', timeZone: 'UTC' });

const names = { week: 'Weeks', month: 'Months' } as const satisfies Record<HistoryPeriod, string>;

/** The name of a period: its month, or the first day of its week. */
const periodName = (by: HistoryPeriod, { from }: MoneyPeriod): string =>
  (by === 'week' ? dayFormat : monthFormat).format(new Date(`${from}T00:00:00Z`));

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
      <BarChart
        label={`Released and paid money in the last twelve ${by}s. The table after it has the figures.`}
        series={[
          { name: 'Released', color: 'text-accent' },
          { name: 'Paid', color: 'text-primary' },
        ]}
        periods={periods.map(({ from, released, paid }) => ({ key: from, values: [released, paid] }))}
        format={formatAmount}
      >
        <p className="figures mt-1.5 flex justify-between text-muted text-sm">
          {[periods.at(0), periods.at(-1)].map(
            (period) => period && <span key={period.from}>{periodName(by, period)}</span>,
          )}
        </p>
      </BarChart>
      <Details summary="As a table" className="mt-4">
        <PeriodsTable by={by} periods={periods} />
      </Details>
    </>
  );
}

/** The seller's money per week or month. */
export function MoneyHistory() {
  const [by, setBy] = useState<HistoryPeriod>('week');
  const history = useRead(readMoneyHistory, { query: { by } }, { refetchOnMount: 'always' });
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
        {(periods) => <History by={by} periods={periods} />}
      </QueryView>
    </section>
  );
}
