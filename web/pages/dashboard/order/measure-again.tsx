import { CODE_MINUTES, type MeasuredSystem, submitReport } from '#contract/certification/inspections.ts';
import { createSameLaptopCode, type SameLaptopCheck } from '#contract/certification/same-laptop.ts';
import type { Order } from '#contract/sales/orders.ts';
import { DateTime } from '../../../formats/date-time.tsx';
import { MeasureForm } from '../../../inspections/measure-form.tsx';
import { useRefetch } from '../../../requests/reads.ts';
import { useApi } from '../../../session/session.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Details } from '../../../ui/details.tsx';

const results = {
  same: { tone: 'good', label: 'The same laptop' },
  different: { tone: 'bad', label: 'Something differs' },
  unknown: { tone: 'neutral', label: 'Cannot be told' },
} as const;

function Result({ check: { at, result, differences, unread } }: { check: SameLaptopCheck }) {
  const { tone, label } = results[result];
  return (
    <li className="flex flex-col items-start gap-1">
      {/* With large texts the label is wider than a phone. */}
      <span className="*:whitespace-normal">
        <Badge tone={tone}>{label}</Badge>
      </span>
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
      {unread.length > 0 && <p className="text-muted">Not read this time: {unread.join(', ')}.</p>}
      <p className="text-muted text-sm">
        <DateTime at={at} />
      </p>
    </li>
  );
}

/** The results of measurements at the hand-over, the latest first. */
export function LaptopChecks({ checks }: { checks: readonly SameLaptopCheck[] }) {
  if (checks.length === 0) return null;
  return (
    <ul aria-label="Checks" className="mt-4 flex flex-col gap-4">
      {checks.map((check) => (
        <Result key={check.at} check={check} />
      ))}
    </ul>
  );
}

export interface MeasureAgainProps {
  order: Order;
  /** @param codeExpiresAt when the code of a check expires, ISO 8601 */
  onCode: (codeExpiresAt: string) => void;
}

/** Measures the laptop at the meeting, or when its parcel has arrived, and compares it with its measurement before the sale. Nobody has to. */
export function MeasureAgain({
  order,
  measuredWith,
  onCode,
}: MeasureAgainProps & { measuredWith: MeasuredSystem }) {
  const api = useApi();
  const refresh = useRefetch('orders');
  const expectCode = () => onCode(new Date(Date.now() + CODE_MINUTES * 60_000).toISOString());
  return (
    <>
      <p className="max-w-prose">
        The laptop is compared with its measurement before the sale: serial number, mainboard, drives, TPM,
        battery and counters. Nobody has to.
      </p>
      <LaptopChecks checks={order.laptopChecks} />
      {order.role === (order.delivery === 'ship' ? 'buyer' : 'seller') && (
        <Details look="button" summary="Measure again" className="mt-4">
          <MeasureForm
            createCode={() => api.call(createSameLaptopCode, { params: { _id: order._id } })}
            {...(order.role === 'seller' && {
              sendReport: async (report: string) => {
                await api.call(submitReport, { body: { laptopId: order.productCode, report } });
              },
            })}
            measuredAt={order.laptopChecks[0]?.at ?? null}
            onCode={onCode}
            onReport={() => void refresh()}
            measuredWith={measuredWith}
            hasBrowserTests={false}
          />
        </Details>
      )}
      {order.role === 'buyer' && order.delivery === 'meet' && (
        <Details
          look="button"
          summary="How to have it measured again"
          className="mt-4"
          onOpenChange={(isOpen) => isOpen && expectCode()}
        >
          <ol className="flex max-w-prose list-decimal flex-col gap-2 pl-6">
            <li className="wrap-anywhere">
              Ask {order.sellerName} to press “Measure again” on their page of this order.
            </li>
            <li>Watch them run the command on the laptop in front of you.</li>
            <li>
              <span aria-live="polite">
                {order.laptopCode === null ? (
                  'When there is a code, its last four characters appear here.'
                ) : (
                  <>
                    The code on the laptop must end in{' '}
                    <strong className="figures block font-mono text-3xl tracking-[0.15em]">
                      {order.laptopCode.ending}
                    </strong>
                  </>
                )}
              </span>
            </li>
            <li>The result appears above, for both of you.</li>
          </ol>
        </Details>
      )}
    </>
  );
}
