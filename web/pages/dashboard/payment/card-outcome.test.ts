import { describe, expect, it } from 'vitest';
import { type CardAnswer, outcomeOf } from './card-outcome.ts';

function intent(
  status: NonNullable<CardAnswer['paymentIntent']>['status'],
): NonNullable<CardAnswer['paymentIntent']> {
  return { id: 'pi_1', status, last_payment_error: null };
}

describe('outcomeOf', () => {
  it('returns the transaction id of a succeeded payment', () => {
    expect(outcomeOf({ paymentIntent: intent('succeeded') })).toEqual({
      kind: 'taken',
      transactionId: 'pi_1',
    });
  });

  it('passes on the message of a card error', () => {
    expect(
      outcomeOf({ error: { type: 'card_error', message: 'Your card has insufficient funds.' } }),
    ).toEqual({ kind: 'not-taken', message: 'Your card has insufficient funds.' });
    expect(
      outcomeOf({ error: { type: 'validation_error', message: 'Your card number is incomplete.' } }),
    ).toEqual({ kind: 'not-taken', message: 'Your card number is incomplete.' });
  });

  it.each(['api_connection_error', 'api_error'] as const)('is unsure after an %s', (type) => {
    expect(outcomeOf({ error: { type, message: 'away' } }).kind).toBe('unsure');
  });

  it('is unsure without a response', () => {
    expect(outcomeOf({}).kind).toBe('unsure');
  });

  it.each([
    ['requires_payment_method', 'not-taken'],
    ['requires_action', 'not-taken'],
    ['requires_confirmation', 'not-taken'],
    ['processing', 'unsure'],
    ['canceled', 'ended'],
  ] as const)('maps the status %s to %s', (status, kind) => {
    expect(outcomeOf({ paymentIntent: intent(status) }).kind).toBe(kind);
  });
});
