import { href, useLocation } from 'react-router';
import { deadlineDays } from '#contract/money/order-states.ts';
import { confirmOrder, handOver, type Order } from '#contract/sales/orders.ts';
import { RequestForm } from '../../../forms/request-form.tsx';
import { useWriteForm } from '../../../forms/use-write-form.ts';
import { ConfirmedWrite } from '../../../forms/write-button.tsx';
import { orderParts } from '../../../orders/next-step.ts';
import { Field, TextInput } from '../../../ui/field.tsx';
import { QrCode } from '../../../ui/qr-code.tsx';
import { Section } from '../../../ui/section.tsx';

/**
 * The address that the buyer's QR code contains: the seller's page of the order, with the code in the fragment, which no
 * server's log records.
 */
const handOverLink = (origin: string, { orderId, code }: { orderId: string; code: string }): string =>
  `${origin}${href('/dashboard/order/:id', { id: orderId })}#code=${code}`;

/** The code in an address's fragment; empty without one. @param hash begins with # */
const scannedCode = (hash: string): string => /^#code=([0-9]{6})$/.exec(hash)?.[1] ?? '';

/** The seller's form for the buyer's code: typed, pasted, or from the address that the QR code contains. */
export function SellerHandOver({ order }: { order: Order }) {
  const { hash } = useLocation();
  const form = useWriteForm(handOver, {
    defaultValues: { code: scannedCode(hash) },
    input: ({ code }: { code: string }) => ({
      params: { _id: order._id },
      body: { code: code.replace(/[\s-]/g, '') },
    }),
    // It is a secret of the buyer.
    dropsTyped: true,
    done: 'The code is right. The money of this sale is yours.',
  });
  return (
    <Section title="Hand-over" id={orderParts.handOver} className="card">
      <p className="mt-2 max-w-prose">
        The buyer looks at the laptop and then shows you a code: scan it with your phone’s camera, or type it
        here, and the money is yours at once. Without it the money is yours when nobody has complained in
        time.
        {order.payoutAfter === 'completed' &&
          ` It is paid to you ${deadlineDays('released')} days later, when the time for complaints is over.`}
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

interface BuyerHandOverProps {
  order: Order;
  /** Six digits. */
  code: string;
}

/** The buyer's code for the hand-over, as digits and as a QR code, and the button to release the money without it. */
export function BuyerHandOver({ order, code }: BuyerHandOverProps) {
  return (
    <section
      aria-labelledby={orderParts.code}
      className="card grid grid-cols-1 items-start gap-x-6 gap-y-4 sm:grid-cols-[auto_minmax(0,1fr)]"
    >
      <div className="sm:col-start-2">
        <h2 id={orderParts.code} className="text-xl">
          Your code for the hand-over
        </h2>
        <p className="figures mt-1 font-semibold text-[min(2.75rem,12vw)] leading-tight tracking-[0.2em]">
          {code}
        </p>
      </div>
      <QrCode
        text={handOverLink(window.location.origin, { orderId: order._id, code })}
        label="Your code as a QR code, for the seller to scan"
        className="size-[160px] shrink-0 sm:col-start-1 sm:row-span-2 sm:row-start-1"
      />
      <div className="sm:col-start-2">
        <p className="max-w-prose">
          Show it when you have the laptop in your hands and are content: whoever enters it gets the money. If
          something is wrong, keep it and complain here.
        </p>
        <ConfirmedWrite
          endpoint={confirmOrder}
          input={{ params: { _id: order._id } }}
          label="I have it, and all is well"
          variant="secondary"
          className="mt-4 max-sm:w-full"
          title="Release the money?"
          message={`The seller gets the money for ${order.productName}. Do this only when you have the laptop and are content with it.`}
          yes="Yes, release it"
          busy="Releasing"
          done="Thank you. The money is released to the seller."
        />
      </div>
    </section>
  );
}
