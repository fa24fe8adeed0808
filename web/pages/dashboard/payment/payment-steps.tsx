import type { Delivery } from '#contract/money/order-states.ts';

const steps = {
  meet: ['Booked', 'Pay', 'Hand-over'],
  ship: ['Booked', 'Pay', 'Parcel'],
} as const satisfies Record<Delivery, readonly string[]>;

/** The steps of an order, with the current one marked. */
export function PaymentSteps({ isPaid, delivery }: { isPaid: boolean; delivery: Delivery }) {
  const current = isPaid ? 2 : 1;
  return (
    <ol aria-label="Steps of your order" className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
      {steps[delivery].map((step, index) => (
        <li
          key={step}
          {...(index === current && { 'aria-current': 'step' as const })}
          className={`flex items-center gap-2 before:h-px before:w-4 before:bg-border-strong first:before:hidden ${index === current ? 'font-semibold' : 'text-muted'}`}
        >
          <span
            className={`figures grid size-6 place-items-center rounded-full ${
              index === current
                ? 'bg-accent text-surface'
                : index < current
                  ? 'bg-success-soft text-success'
                  : 'border border-border-strong'
            }`}
          >
            {index + 1}
          </span>
          {step}
          {index < current && <span className="sr-only"> (done)</span>}
        </li>
      ))}
    </ol>
  );
}
