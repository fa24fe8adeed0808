import { createFormControl } from 'react-hook-form';
import { expect, test } from 'vitest';
import { Problem } from '#contract/platform/client.ts';
import { IdentityError } from '../session/identity/errors.ts';
import { applyProblem, showErrors } from './apply-problem.ts';

function createForm() {
  const { getValues, setError, getFieldState } = createFormControl({
    defaultValues: { phone: '', location: '' },
  });
  const messages = () => ({
    phone: getFieldState('phone').error?.message,
    location: getFieldState('location').error?.message,
  });
  return { form: { getValues, setError, hasControl: () => true }, messages };
}

const invalid = (errors: Record<string, string>) =>
  new Problem({ status: 422, code: 'validation', detail: 'Some fields need another look.', errors });

test('sets each field error at its field and returns no message for the form', () => {
  const { form, messages } = createForm();
  expect(applyProblem(form, invalid({ phone: 'Too short', location: 'Required' }))).toBeNull();
  expect(messages()).toEqual({ phone: 'Too short', location: 'Required' });
});

test('sets the field errors of the identity provider as well', () => {
  const { form, messages } = createForm();
  const error = new IdentityError('invalid', 'Check the phone.', undefined, { phone: 'Too short' });
  expect(applyProblem(form, error)).toBeNull();
  expect(messages()).toEqual({ phone: 'Too short', location: undefined });
});

test('returns the detail of a problem without field errors of the form', () => {
  const { form, messages } = createForm();
  expect(applyProblem(form, invalid({ price: 'Not a price' }))).toBe('Some fields need another look.');
  const sold = new Problem({ status: 409, code: 'already_sold', detail: 'It is sold.' });
  expect(applyProblem(form, sold)).toBe('It is sold.');
  expect(messages()).toEqual({ phone: undefined, location: undefined });
});

test('finds the field of the form that a field of the request contains, the last part first', () => {
  const { form, messages } = createForm();
  expect(
    applyProblem(form, invalid({ 'phone.location': 'Required', 'buyer.phone.0': 'Too short' })),
  ).toBeNull();
  expect(messages()).toEqual({ phone: 'Too short', location: 'Required' });
});

test('finds fields of groups before those of the same name', () => {
  const { getValues, setError, getFieldState } = createFormControl({
    defaultValues: { name: '', tax: { name: '' } },
  });
  expect(
    applyProblem(
      { getValues, setError, hasControl: () => true },
      invalid({ 'settings.tax.name': 'Required' }),
    ),
  ).toBeNull();
  expect([getFieldState('tax.name').error?.message, getFieldState('name').error]).toEqual([
    'Required',
    undefined,
  ]);
});

test('shows errors at fields with another name', () => {
  const { form, messages } = createForm();
  const rename = (path: string) => (path === 'mobile_number' ? 'phone' : path);
  expect(applyProblem(form, invalid({ mobile_number: 'Too short', other: 'Unknown' }), rename)).toBeNull();
  expect(messages()).toEqual({ phone: 'Too short', location: undefined });
});

test('returns the detail when a value of the form without a control has an error', () => {
  const { form, messages } = createForm();
  const partial = { ...form, hasControl: (field: string) => field === 'location' };
  const hidden = invalid({ phone: 'Too short', location: 'Required' });
  expect(applyProblem(partial, hidden)).toBe('Some fields need another look.');
  expect(messages()).toEqual({ phone: 'Too short', location: 'Required' });
  expect(showErrors(partial, { location: 'Required', phone: 'Too short' })).toBe('Too short');
});

test('returns the message of any other Error, and a general message for other values', () => {
  const { form } = createForm();
  expect(applyProblem(form, new Error('Wrong password.'))).toBe('Wrong password.');
  expect(applyProblem(form, 'broken')).toBe('Something went wrong. Please try again.');
});
