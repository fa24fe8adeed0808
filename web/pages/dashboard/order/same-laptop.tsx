import { useState } from 'react';
import { submitReport } from '#contract/inspections.ts';
import type { Order } from '#contract/orders.ts';
import { createSameLaptopCode, type SameLaptopCheck } from '#contract/same-laptop.ts';
import { DateTime } from '../../../formats/date-time.tsx';
import { MeasureForm } from '../../../inspections/measure-form.tsx';
import { useApi } from '../../../session/session.tsx';
import { Badge } from '../../../ui/badge.tsx';

const results = {
  same: { tone: 'good', label: 'The same laptop' },
  different: { tone: 'bad', label: 'Something differs' },
  unknown: { tone: 'neutral', label: 'Cannot be told' },
} as const;

function Result({ check: { at, result, differences, unread } }: { check: SameLaptopCheck }) {
  const { tone, label } = results[result];
  return (
    <li className="flex flex-col items-start gap-1">
      <Badge tone={tone}>{label}</Badge>
      {differences.length > 0 && (
        <ul className="list-disc pl-5">
          {differences.map(({ subject, before, now }) => (
            <li key={subject} className="wrap-anywhere">
              {subject}: {before} before the sale, {now} now
            </li>
          ))}
        </ul>
      )}
      {result === 'unknown' && <p>No serial number could be compared. Nothing else differs.</p>}
      {unread.length > 0 && <p className="text-quiet">Not read this time: {unread.join(', ')}.</p>}
      <p className="text-quiet text-sm">
        <DateTime at={at} />
      </p>
    </li>
  );
}

interface SameLaptopProps {
  order: Order;
  /** @param codeExpiresAt when the code of a check expires, ISO 8601 */
  onCode: (codeExpiresAt: string) => void;
  refresh: () => Promise<unknown>;
}

/** Compares the laptop on the spot with the one that was measured before the sale. Nobody has to. */
export function SameLaptop({ order, onCode, refresh }: SameLaptopProps) {
  const api = useApi();
  const [isOpen, setIsOpen] = useState(false);
  const canMeasure = order.role === 'seller' && order.state === 'held' && order.isMeasured;
  if (!canMeasure && order.laptopChecks.length === 0) return null;
  return (
    <section aria-labelledby="same-laptop" className="rounded-2xl border border-line bg-surface p-5 sm:p-6">
      <h2 id="same-laptop" className="text-xl">
        Check that it is the same laptop
      </h2>
      <p className="mt-2 max-w-prose">
        Measured again when you meet, the laptop is compared with its measurement before the sale: serial
        number, mainboard, drives, TPM, battery and counters. Nobody has to.
      </p>
      {order.laptopChecks.length > 0 && (
        <ul aria-label="Checks" className="mt-4 flex flex-col gap-4">
          {order.laptopChecks.map((check) => (
            <Result key={check.at} check={check} />
          ))}
        </ul>
      )}
      {canMeasure && (
        <details className="mt-4" open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
          <summary className="cursor-pointer py-2 font-semibold">Measure it now</summary>
          {isOpen && (
            <MeasureForm
              createCode={() => api.call(createSameLaptopCode, { params: { _id: order._id } })}
              sendReport={async (report) => {
                await api.call(submitReport, { body: { laptopId: order.productCode, report } });
              }}
              measuredAt={order.laptopChecks[0]?.at ?? null}
              onCode={onCode}
              onReport={() => void refresh()}
              hasBrowserTests={false}
            />
          )}
        </details>
      )}
    </section>
  );
}
