import { useLocation } from 'react-router';
import { clockDays } from '#contract/money/order-states.ts';
import { handOver, type Order } from '#contract/sales/orders.ts';
import { RequestForm } from '../../../forms/request-form.tsx';
import { useWriteForm } from '../../../forms/use-write-form.ts';
import { scannedCode } from '../../../orders/hand-over-link.ts';
import { Field, TextInput } from '../../../ui/field.tsx';
import { Section } from '../../../ui/section.tsx';

/** The seller's form for the buyer's code: typed, pasted, or from the address that the QR code contains. */
export function SellerHandOver({ order }: { order: Order }) {
  const { hash } = useLocation();
  const form = useWriteForm(handOver, {
    defaultValues: { code: scannedCode(hash) },
    input: ({ code }: { code: string }) => ({
      params: { _id: order._id },
      body: { code: code.replace(/[\s-]/g, '') },
    }),
    done: 'The code is right. The money of this sale is yours.',
  });
  return (
    <Section title="Hand-over" className="card">
      <p className="mt-2 max-w-prose">
        The buyer looks at the laptop and then shows you a code: scan it with your phone’s camera, or type it
        here, and the money is yours at once. Without it the money is yours when nobody has complained in
        time.
        {order.payoutAfter === 'completed' &&
          ` It is paid to you ${clockDays('released')} days later, when the time for complaints is over.`}
      </p>
      <RequestForm
        form={form}
        submit="Hand over"
        busy="Checking"
        buttonClass="self-start max-sm:w-full"
        className="mt-4 flex max-w-md flex-col gap-4"
      >
        <Field label="The buyer’s code" {...form.field('code')} hint="Six digits">
          <TextInput inputMode="numeric" autoComplete="off" className="figures tracking-[0.2em]" />
        </Field>
      </RequestForm>
    </Section>
  );
}
