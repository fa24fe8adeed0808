import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { BookingForm } from './booking-form.tsx';
import { MeetingDetails, meetingDraft } from './use-book-laptop.ts';

vi.mock('../session/session.tsx', () => ({
  usePerson: () => ({ name: 'Bruno Buyer', email: 'bruno@people.example', photoUrl: null }),
  useSessionStore: () => ({ read: () => ({ status: 'signed-in' }) }),
}));

const render = () =>
  renderToStaticMarkup(
    <BookingForm
      laptopName="ThinkPad X1"
      book={() => Promise.resolve({ acknowledged: true, message: '' })}
      successMessage="Booking Successful."
      closesOn={() => false}
      onClose={() => undefined}
    />,
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

test('keeps a separate draft for each buyer', () => {
  meetingDraft.set('bruno@people.example', { phone: '+351 900 000 000', location: 'Central Station' });
  expect(meetingDraft.get('bruno@people.example').location).toBe('Central Station');
  expect(meetingDraft.get('bina@people.example')).toEqual({ phone: '', location: '' });
});

test('requires both fields in the words of the specification', () => {
  const issues = MeetingDetails.safeParse({ phone: '', location: ' ' }).error?.issues ?? [];
  expect(issues.map(({ message }) => message)).toEqual([
    'Phone Number is required',
    'Meeting Location is required',
  ]);
});
