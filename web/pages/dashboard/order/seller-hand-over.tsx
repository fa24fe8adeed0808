import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useLocation } from 'react-router';
import { handOver, type Order } from '#contract/sales/orders.ts';
import { applyProblem } from '../../../forms/apply-problem.ts';
import { scannedCode } from '../../../orders/hand-over-link.ts';
import { useApi } from '../../../session/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { Field, FormFailure, TextInput } from '../../../ui/field.tsx';
import { toast } from '../../../ui/toast.tsx';

interface SellerHandOverProps {
  order: Order;
  refresh: () => Promise<void>;
}

/** The seller's form for the buyer's code: typed, pasted, or from the address that the QR code contains. */
export function SellerHandOver({ order, refresh }: SellerHandOverProps) {
  const api = useApi();
  const { hash } = useLocation();
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({
    defaultValues: { code: scannedCode(hash) },
    resolver: standardSchemaResolver(handOver.body, undefined, { raw: true }),
  });
  const { register, handleSubmit, formState } = form;
  const submit = handleSubmit(async ({ code }) => {
    setFailure(null);
    try {
      await api.call(handOver, { params: { _id: order._id }, body: { code } });
      toast.success('The code is right. The money of this sale is yours.');
      await refresh();
    } catch (error) {
      setFailure(applyProblem(form, error));
      // Not awaited: the form would be disabled until then, without a connection for ever.
      void refresh();
    }
  });
  return (
    <section aria-labelledby="hand-over" className="card">
      <h2 id="hand-over" className="text-xl">
        Hand-over
      </h2>
      <p className="mt-2 max-w-prose">
        When you meet, the buyer looks at the laptop and then shows you a code. With it the money is yours at
        once: scan it with your phone’s camera, or type it here. Without it the money is yours when nobody has
        complained in time.{' '}
        {order.payoutAfter === 'completed' &&
          'It is paid to you 14 days later, when the time for complaints is over.'}
      </p>
      <form onSubmit={submit} noValidate className="mt-4 flex max-w-md flex-col gap-4">
        <Field label="The buyer’s code" error={formState.errors.code?.message} hint="Six digits">
          <TextInput
            inputMode="numeric"
            autoComplete="off"
            className="figures tracking-[0.2em]"
            {...register('code', { setValueAs: (text: string) => text.replace(/[\s-]/g, '') })}
          />
        </Field>
        <FormFailure message={failure} />
        <Button type="submit" className="self-start" busy={formState.isSubmitting && 'Checking'}>
          Hand over
        </Button>
      </form>
    </section>
  );
}
