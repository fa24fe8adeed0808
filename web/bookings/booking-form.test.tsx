import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { NewMeetingBooking } from '#contract/sales/bookings.ts';
import { BookingForm } from './booking-form.tsx';

vi.mock('../session/session.tsx', () => ({
  usePerson: () => ({ name: 'Bruno Buyer', email: 'bruno@people.example', photoUrl: null }),
  useApi: () => ({}),
  useSession: () => ({ status: 'signed-in', person: { email: 'bruno@people.example' } }),
  useSessionStore: () => ({ read: () => ({ status: 'signed-in' }) }),
}));

const render = () =>
  renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <BookingForm
        laptop={{ _id: 'one', name: 'ThinkPad X1', resale_price: 500, image: '' }}
        successMessage="Booking Successful."
        closesOn={() => false}
        onClose={() => undefined}
      />
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

test('requires both fields in the words of the specification', () => {
  const issues =
    z.safeParse(z.pick(NewMeetingBooking, { phone: true, location: true }), { phone: '', location: ' ' })
      .error?.issues ?? [];
  expect(issues.map(({ message }) => message)).toEqual([
    'Phone Number is required',
    'Meeting Location is required',
  ]);
});
