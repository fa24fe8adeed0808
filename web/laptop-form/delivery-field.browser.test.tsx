import { FormProvider, useForm } from 'react-hook-form';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { WithQueries } from '../requests/with-queries.tsx';
import { fakeShop, mount } from '../testing/component.tsx';
import { DeliveryField } from './delivery-field.tsx';
import { emptyValues, type FormValues } from './form-values.ts';

function Delivery({ from }: { from: string }) {
  const form = useForm<FormValues>({
    defaultValues: { ...emptyValues, delivery: 'ship', ships_from: from },
  });
  return (
    <WithQueries>
      <FormProvider {...form}>
        <DeliveryField />
      </FormProvider>
    </WithQueries>
  );
}

const country = page.getByLabelText('Ships from');

test('a stored country in which the shop no longer sends can be seen, and changed for the only one', async () => {
  fakeShop();
  mount(<Delivery from="DE" />);
  await expect.element(country).toHaveDisplayValue('Germany');
  await country.selectOptions('United States');
  await expect.element(country).toHaveDisplayValue('United States');
});

test('a shop that sends within one country asks for none', async () => {
  fakeShop();
  mount(<Delivery from="US" />);
  await expect.element(page.getByLabelText('How the buyer gets it')).toBeVisible();
  await expect.element(country).not.toBeInTheDocument();
});
