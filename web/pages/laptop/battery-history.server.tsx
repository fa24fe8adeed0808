import type { ReactNode } from 'react';
import type { BatteryPoint } from '#contract/certification/inspections.ts';
import { utcDay } from '../../formats/utc-dates.ts';

const wattHours = (value: number | null) => (value === null ? 'Unknown' : `${(value / 1000).toFixed(1)} Wh`);

/** The size of the drawing, and the space around it for labels. */
const WIDTH = 480;
const HEIGHT = 150;
const MARGIN = { left: 44, right: 16, top: 14, bottom: 24 };

/** The chart's lower end: the ten below the lowest value, at most 50, so that small losses are not exaggerated. */
function lowerEnd(points: readonly BatteryPoint[]): number {
  const lowest = Math.min(...points.map(({ battery }) => battery.health));
  return Math.max(0, Math.min(50, Math.floor((lowest - 1) / 10) * 10));
}

function Chart({ points }: { points: readonly BatteryPoint[] }) {
  const low = lowerEnd(points);
  const high = Math.max(100, ...points.map(({ battery }) => battery.health));
  const times = points.map(({ measuredAt }) => Date.parse(measuredAt));
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const innerWidth = WIDTH - MARGIN.left - MARGIN.right;
  const x = (time: number) =>
    MARGIN.left + (last === first ? innerWidth / 2 : ((time - first) / (last - first)) * innerWidth);
  const y = (health: number) =>
    MARGIN.top + ((high - health) / (high - low)) * (HEIGHT - MARGIN.top - MARGIN.bottom);
  const places = points.map(({ measuredAt, battery }) => ({
    measuredAt,
    x: Math.round(x(Date.parse(measuredAt)) * 10) / 10,
    y: Math.round(y(battery.health) * 10) / 10,
  }));
  return (
    // The table below it has the same values.
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true" className="w-full max-w-xl">
      {[100, low].map((health) => (
        <g key={health}>
          <path d={`M${MARGIN.left} ${y(health)}H${WIDTH - MARGIN.right}`} stroke="var(--border)" />
          <text x={MARGIN.left - 8} y={y(health) + 4} textAnchor="end" fontSize="12" fill="var(--muted)">
            {health} %
          </text>
        </g>
      ))}
      <polyline
        points={places.map((place) => `${place.x},${place.y}`).join(' ')}
        fill="none"
        stroke="var(--accent)"
        strokeWidth="2"
      />
      {places.map((place) => (
        <circle key={place.measuredAt} cx={place.x} cy={place.y} r="4" fill="var(--accent)" />
      ))}
    </svg>
  );
}

interface PartProps {
  title: string;
  intro?: string;
  children: ReactNode;
}

/** A part of the section, with its heading. */
export function Part({ title, intro, children }: PartProps) {
  return (
    <section aria-label={title}>
      <h3 className={`mt-6 text-lg ${intro === undefined ? 'mb-3' : 'mb-1'}`}>{title}</h3>
      {intro !== undefined && <p className="mb-3 text-muted">{intro}</p>}
      {children}
    </section>
  );
}

/** The battery in two measurements or more, oldest first: a chart and a table of the same values. */
export function BatteryHistory({ points }: { points: readonly BatteryPoint[] }) {
  const cell = 'py-1 pr-4 text-left align-top';
  return (
    <Part
      title="The battery over time"
      intro={`Capacity in percent of the one when new, in ${points.length} measurements of this laptop.`}
    >
      <Chart points={points} />
      <section
        aria-label="The battery in each measurement"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: with large text it scrolls, also by keyboard
        tabIndex={0}
        className="mt-2 overflow-x-auto"
      >
        <table className="figures w-full max-w-xl text-sm">
          <thead className="text-muted">
            <tr>
              {['Measured', 'Capacity', 'Of when new', 'Cycles'].map((name) => (
                <th key={name} scope="col" className={`${cell} font-semibold`}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {points.map(({ measuredAt, battery }) => (
              <tr key={measuredAt} className="border-border border-t">
                <td className={cell}>{utcDay(measuredAt)}</td>
                <td className={cell}>{wattHours(battery.fullMwh)}</td>
                <td className={cell}>{battery.health} %</td>
                <td className={cell}>{battery.cycles ?? 'Unknown'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Part>
  );
}
