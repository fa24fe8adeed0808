import { describe, expect, it } from 'vitest';
import { type CardProcessorResult, toCardOutcome } from './card-outcome.ts';

function intent(
  status: NonNullable<CardProcessorResult['paymentIntent']>['status'],
): NonNullable<CardProcessorResult['paymentIntent']> {
  return { id: 'pi_1', status };
}

describe('toCardOutcome', () => {
  it('returns the transaction id of a succeeded payment', () => {
    expect(toCardOutcome({ paymentIntent: intent('succeeded') })).toEqual({
      kind: 'charged',
      transactionId: 'pi_1',
    });
  });

  it('returns the message of a card error', () => {
    expect(
      toCardOutcome({ error: { type: 'card_error', message: 'Your card has insufficient funds.' } }),
    ).toEqual({ kind: 'not-charged', message: 'Your card has insufficient funds.' });
    expect(
      toCardOutcome({ error: { type: 'validation_error', message: 'Your card number is incomplete.' } }),
    ).toEqual({ kind: 'not-charged', message: 'Your card number is incomplete.' });
  });

  it.each(['api_connection_error', 'api_error'] as const)('is unsure after an %s', (type) => {
    expect(toCardOutcome({ error: { type, message: 'away' } }).kind).toBe('unsure');
  });

  it('is unsure without a response', () => {
    expect(toCardOutcome({}).kind).toBe('unsure');
  });

  it.each([
    ['requires_payment_method', 'not-charged'],
    ['requires_action', 'not-charged'],
    ['requires_confirmation', 'not-charged'],
    ['processing', 'unsure'],
    ['canceled', 'cancelled'],
  ] as const)('maps the status %s to %s', (status, kind) => {
    expect(toCardOutcome({ paymentIntent: intent(status) }).kind).toBe(kind);
  });
});
