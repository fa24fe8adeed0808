import type { ReactNode } from 'react';

/** In how many periods money must have moved for a chart: fewer are some bars in an empty frame. */
export const FEWEST_IN_CHART = 3;

/** The periods of a chart. Fewer stand on the right, where the newest is expected. */
const PERIODS = 12;
/** The units of the drawing, which is stretched to the width of the page: a period, what of it is bars, and the highest bar. */
const [PERIOD_WIDTH, BARS_WIDTH, HEIGHT] = [60, 46, 160];

interface BarChartProps {
  /** What it shows, and where the same figures can be read. */
  label: string;
  /** The bars of each period. */
  series: readonly { name: string; color: 'text-accent' | 'text-success' | 'text-primary' }[];
  /** The oldest first, each with its values in the order of the series. */
  periods: readonly { key: string; values: readonly number[] }[];
  format: (value: number) => string;
  /** The names of periods, below the bars. */
  children: ReactNode;
}

/** Bars by period, beside a table with the same figures. */
export function BarChart({ label, series, periods, format, children }: BarChartProps) {
  const highest = Math.max(0, ...periods.flatMap(({ values }) => values));
  const barWidth = BARS_WIDTH / series.length;
  return (
    <figure>
      <figcaption className="mb-3 flex flex-wrap gap-x-5 gap-y-1 text-sm">
        {series.map(({ name, color }) => (
          <span key={name} className="inline-flex items-center gap-2">
            <span aria-hidden="true" className={`size-3 rounded-sm bg-current ${color}`} />
            {name}
          </span>
        ))}
        <span className="text-muted">Highest: {format(highest)}</span>
      </figcaption>
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${PERIODS * PERIOD_WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="h-40 w-full border-border border-b"
      >
        {periods.map(({ key, values }, index) =>
          series.map(({ name, color }, place) => {
            const height = (Math.max(0, values[place] ?? 0) / Math.max(1, highest)) * HEIGHT;
            return (
              <rect
                key={`${key} ${name}`}
                className={`fill-current ${color}`}
                x={(PERIODS - periods.length + index) * PERIOD_WIDTH + 7 + place * barWidth}
                width={barWidth - 2}
                y={HEIGHT - height}
                height={height}
              />
            );
          }),
        )}
      </svg>
      <div aria-hidden="true">{children}</div>
    </figure>
  );
}
