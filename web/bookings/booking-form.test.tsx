import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { clockDays } from '#contract/money/order-states.ts';
import { book } from '#contract/sales/bookings.ts';
import { BookingForm } from './booking-form.tsx';

vi.mock('../session/session.tsx', () => ({
  usePerson: () => ({ name: 'Bruno Buyer', email: 'bruno@people.example', photoUrl: null }),
  useApi: () => ({}),
  useSession: () => ({ status: 'signed-in', person: { email: 'bruno@people.example' } }),
  useSessionStore: () => ({ read: () => ({ status: 'signed-in' }) }),
}));

const render = (seller?: string) =>
  renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <BookingForm
          laptop={{
            ...{ _id: 'one', name: 'ThinkPad X1', resale_price: 500, image: '' },
            ...(seller !== undefined && { sellers_name: seller, location: 'Portland, Oregon' }),
          }}
          successMessage="Booking Successful."
          closesOn={() => false}
          onClose={() => undefined}
        />
      </MemoryRouter>
    </QueryClientProvider>,
  );

test('shows the name and email address of the account read-only, and asks for phone number and meeting location', () => {
  const inputs = [...render().matchAll(/<input[^>]*>/g)].map(([input]) => input);
  expect(inputs).toHaveLength(4);
  expect(inputs[0]).toMatch(/(?=.* readOnly=)(?=.*value="Bruno Buyer")/i);
  expect(inputs[1]).toMatch(/(?=.* readOnly=)(?=.*value="bruno@people\.example")/i);
  for (const input of inputs.slice(2)) {
    expect(input).toContain('required');
    expect(input).not.toMatch(/ readOnly=/i);
  }
  expect(inputs[2]).toContain('name="phone"');
  expect(inputs[3]).toContain('name="location"');
});

test('says what a booking is and what protects the buyer, with the first name of the seller where it is known', () => {
  expect(render('Marta Lindqvist')).toContain('the first to pay gets it. Marta sees your phone number.');
  expect(render('Marta Lindqvist')).toContain('You pay the shop, not Marta<');
  expect(render('Marta Lindqvist')).toContain(
    'Where you want to meet Marta, for example a café or a station in Portland, Oregon.',
  );
  expect(render()).toContain('Where you want to meet the seller, for example a café or a station.');
  expect(render()).toContain('The seller sees your phone number.');
  expect(render()).toContain('You pay the shop, not the seller<');
  expect(render()).toContain(`${clockDays('released')} days to complain after that`);
});

test('requires both fields in the words of the specification', () => {
  const issues =
    z.safeParse(z.pick(book.body, { phone: true, location: true }), { phone: '', location: ' ' }).error
      ?.issues ?? [];
  expect(issues.map(({ message }) => message)).toEqual([
    'Phone Number is required',
    'Meeting Location is required',
  ]);
});
