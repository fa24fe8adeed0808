import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { deadlineDays } from '#contract/money/order-states.ts';
import { NewMeetingBooking } from '#contract/sales/bookings.ts';
import { BookingForm, BookingNote } from './booking-form.tsx';
import { type DeliveryOfLaptop, shownAt, toDelivery } from './delivery-fields.tsx';

vi.mock('../session/session.tsx', () => ({
  usePerson: () => ({ name: 'Bruno Buyer', email: 'bruno@people.example', photoUrl: null }),
  useApi: () => ({}),
  useSession: () => ({ status: 'signed-in', person: { email: 'bruno@people.example' } }),
  useSessionStore: () => ({ read: () => ({ status: 'signed-in' }) }),
}));

function render(offer: DeliveryOfLaptop & { sellers_name?: string } = {}): string {
  const element = (
    <BookingForm
      laptop={{ _id: 'one', name: 'ThinkPad X1', resale_price: 500, image: '', ...offer }}
      successMessage="Booking Successful."
      closesOn={() => false}
      onClose={() => undefined}
    />
  );
  return renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={createMemoryRouter([{ path: '/', element }])} />
    </QueryClientProvider>,
  );
}

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
  const note = (name?: string) => renderToStaticMarkup(<BookingNote {...(name && { seller: name })} />);
  expect(note('Marta')).toContain('the first to pay gets it. Marta sees your phone number.');
  expect(note()).toContain('The seller sees your phone number.');
  expect(render({ sellers_name: 'Marta Lindqvist' })).toContain('You pay the shop, not Marta<');
  expect(render()).toContain('You pay the shop, not the seller<');
  expect(render()).toContain(`${deadlineDays('released')} days to complain after that`);
  expect(render({ delivery: 'ship', ships_from: 'PT' })).toContain(
    `${deadlineDays('delivered')} days to complain once you have it`,
  );
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

test('offers the choice of both ways, and asks for the address of a laptop that is only sent', () => {
  const both = render({ delivery: 'both', ships_from: 'US' });
  expect(both.match(/type="radio"/g)).toHaveLength(2);
  expect(both).toContain('name="location"');
  expect(both).not.toContain('name="postalCode"');
  const sent = render({ delivery: 'ship', ships_from: 'US' });
  expect(sent).not.toContain('type="radio"');
  expect(sent).not.toContain('name="location"');
  expect(sent).toMatch(/<input[^>]*autoComplete="shipping postal-code"[^>]*name="postalCode"/i);
  expect(sent).toContain('value="United States"');
});

test('sends the part that was chosen, with the country of the laptop, and shows errors at its fields', () => {
  const address = {
    name: 'Bea',
    line1: 'Street 1',
    line2: '',
    city: 'Portland',
    region: 'OR',
    postalCode: '97232',
  };
  const typed = { ...address, delivery: 'ship', location: 'Central Station' } as const;
  expect(toDelivery(typed, { delivery: 'both', ships_from: 'US' })).toEqual({
    delivery: 'ship',
    address: { ...address, country: 'US' },
  });
  // The seller only meets: an earlier choice does not count.
  expect(toDelivery(typed, { delivery: 'meet' })).toEqual({ location: 'Central Station' });
  expect(['location', 'address.line1', 'address.country', 'delivery'].map(shownAt)).toEqual([
    'location',
    'address.line1',
    'address.city',
    '',
  ]);
});
