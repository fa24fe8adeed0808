import { describe, expect, it } from 'vitest';
import { Problem } from '#contract/platform/client.ts';
import { type RefusalCode, refusals } from '#contract/platform/refusals.ts';
import { nextState, type PaymentEvent, type PaymentState, toInitialState } from './payment-state.ts';

const unpaid = { state: 'Unpaid', productName: 'ThinkPad X1' } as const;
const paymentWindow = { paymentWindowEndsAt: new Date('2026-11-20T12:03:00Z'), waiting: 0 };
const prepared = { type: 'prepared', clientSecret: 'pi_1_secret_1', paymentWindow } as const;
const taken = { type: 'card-outcome', outcome: { kind: 'charged', transactionId: 'pi_1' } } as const;

function refusal(code: RefusalCode, retryAt?: string): Problem {
  const { status } = refusals[code];
  return new Problem({ status, code, detail: `because of ${code}`, ...(retryAt && { retryAt }) });
}
const network = new Problem({ status: 0, code: 'network', detail: 'unreachable' });

function stateAfter(...events: PaymentEvent[]): PaymentState {
  return events.reduce(nextState, toInitialState(unpaid));
}

describe('paying', () => {
  it('changes from prepared through confirmed and recorded to paid', () => {
    expect(stateAfter()).toEqual({ step: 'preparing' });
    expect(stateAfter(prepared)).toEqual({
      step: 'payable',
      clientSecret: 'pi_1_secret_1',
      problem: null,
      paymentWindow,
    });
    expect(stateAfter(prepared, { type: 'pay' }).step).toBe('confirming');
    expect(stateAfter(prepared, { type: 'pay' }, taken)).toEqual({
      step: 'recording',
      transactionId: 'pi_1',
    });
    expect(stateAfter(prepared, { type: 'pay' }, taken, { type: 'recorded' })).toEqual({
      step: 'paid',
      transactionId: 'pi_1',
      justNow: true,
    });
  });

  it('starts only with a client secret, and only once', () => {
    expect(stateAfter({ type: 'pay' }).step).toBe('preparing');
    const confirming = stateAfter(prepared, { type: 'pay' });
    expect(nextState(confirming, { type: 'pay' })).toBe(confirming);
  });

  it('allows another card after a declined one', () => {
    const declined: PaymentEvent = {
      type: 'card-outcome',
      outcome: { kind: 'not-charged', message: 'Your card was declined.' },
    };
    const state = stateAfter(prepared, { type: 'pay' }, declined);
    expect(state).toMatchObject({ step: 'payable', problem: 'Your card was declined.' });
    expect(nextState(state, prepared)).toMatchObject({ problem: 'Your card was declined.' });
    expect(stateAfter(prepared, { type: 'pay' }, declined, { type: 'pay' }).step).toBe('confirming');
  });

  it('prepares a new intent when the old one was cancelled', () => {
    const ended: PaymentEvent = { type: 'card-outcome', outcome: { kind: 'cancelled' } };
    expect(stateAfter(prepared, { type: 'pay' }, ended)).toEqual({ step: 'preparing' });
  });
});

describe('a buyer with the maximum number of payment windows', () => {
  const paymentWindows = [
    { bookingId: 'b1', productName: 'Aspire 5', paymentWindowEndsAt: '2026-11-20T12:01:00Z' },
  ];
  const problem = new Problem({
    status: 409,
    code: 'too_many_payment_windows',
    detail: 'two others',
    paymentWindows,
  });
  const state = stateAfter({ type: 'not-prepared', problem });

  it('sees these laptops, can retry, and cannot pay', () => {
    expect(state).toEqual({
      step: 'too-many-payment-windows',
      message: 'two others',
      retryAt: null,
      paymentWindows,
    });
    expect(nextState(state, { type: 'pay' })).toBe(state);
    expect(nextState(state, { type: 'retry-preparation' }).step).toBe('preparing');
    expect(nextState(state, prepared).step).toBe('payable');
  });
});

describe('after the card was charged', () => {
  const charged = [prepared, { type: 'pay' }, taken] as const;
  const events: PaymentEvent[] = [
    { type: 'retry-preparation' },
    prepared,
    { type: 'pay' },
    { type: 'check' },
    { type: 'not-prepared', problem: network },
    { type: 'card-outcome', outcome: { kind: 'not-charged', message: 'late' } },
    { type: 'card-outcome', outcome: { kind: 'cancelled' } },
    { type: 'booking', booking: { ...unpaid, state: 'Sold' } },
  ];

  it.each(events.map((event) => [event.type, event] as const))('%s causes no second payment', (_, event) => {
    for (const state of [
      stateAfter(...charged),
      stateAfter(...charged, { type: 'not-recorded', problem: network }),
      stateAfter(...charged, { type: 'recorded' }),
    ]) {
      expect(nextState(state, event)).toBe(state);
    }
  });

  it('recording the payment can be retried until it succeeds', () => {
    const failed = stateAfter(...charged, { type: 'not-recorded', problem: network });
    expect(failed).toEqual({ step: 'unrecorded', transactionId: 'pi_1' });
    const again = nextState(failed, { type: 'retry-recording' });
    expect(again).toEqual({ step: 'recording', transactionId: 'pi_1' });
    expect(nextState(again, { type: 'recorded' }).step).toBe('paid');
  });

  it('is paid when the shop recorded the payment by itself', () => {
    const paid: PaymentEvent = { type: 'booking', booking: { ...unpaid, state: 'Paid' } };
    const failed = stateAfter(...charged, { type: 'not-recorded', problem: network });
    expect(nextState(failed, paid)).toEqual({ step: 'paid', transactionId: 'pi_1', justNow: true });
  });

  it('is refunded when another buyer paid first', () => {
    const problem = refusal('refunded');
    expect(stateAfter(...charged, { type: 'not-recorded', problem })).toEqual({
      step: 'refunded',
      message: 'because of refunded',
    });
  });
});

describe('without a response of the card processor', () => {
  const waiting = [prepared, { type: 'pay' }, { type: 'timed-out' }] as const;

  it('can be checked again, and a late response is used', () => {
    expect(stateAfter(...waiting).step).toBe('unsure');
    expect(stateAfter(...waiting, { type: 'check' }).step).toBe('checking');
    expect(stateAfter(...waiting, taken).step).toBe('recording');
    expect(stateAfter(...waiting, { type: 'check' }, taken).step).toBe('recording');
  });

  it('records a charge of an attempt that had timed out', () => {
    const given: PaymentEvent = { type: 'card-outcome', outcome: { kind: 'not-charged', message: 'no' } };
    expect(stateAfter(...waiting, { type: 'check' }, given, taken).step).toBe('recording');
  });

  it('does not offer to pay after a renewal of the payment window', () => {
    expect(stateAfter(...waiting, prepared).step).toBe('unsure');
  });
});

describe('preparing', () => {
  const preparationFailed = (problem: Problem): PaymentEvent => ({ type: 'not-prepared', problem });

  it('waits for another buyer’s payment and retries', () => {
    const busy = preparationFailed(refusal('somebody_is_paying', '2026-11-20T12:00:00Z'));
    const state = stateAfter(busy);
    expect(state).toMatchObject({ step: 'waiting', retryAt: new Date('2026-11-20T12:00:00Z') });
    expect(nextState(state, { type: 'retry-preparation' }).step).toBe('preparing');
    expect(stateAfter(prepared, busy).step).toBe('waiting');
    // A call that gets no answer loses no place in line, but is made again: only another state has it asked again.
    const unheard = nextState(state, { type: 'not-prepared', problem: network });
    expect(unheard).toEqual(state);
    expect(unheard).not.toBe(state);
    expect(nextState(state, prepared)).toMatchObject({ step: 'payable', paymentWindow });
  });

  it.each([
    ['already_paid', 'paid'],
    ['already_sold', 'refused'],
    ['booking_cancelled', 'refused'],
    ['price_differs', 'unprepared'],
    ['price_not_agreed', 'unprepared'],
    ['not_found', 'refused'],
    ['not_allowed', 'refused'],
    ['refunded', 'refunded'],
    ['card_processor_unavailable', 'unprepared'],
    ['database_unavailable', 'unprepared'],
    ['too_many_requests', 'unprepared'],
  ] as const)('maps %s to %s', (code, step) => {
    expect(stateAfter(preparationFailed(refusal(code))).step).toBe(step);
  });

  it('keeps the client secret when a renewal fails, but not when the laptop is sold', () => {
    expect(stateAfter(prepared, preparationFailed(network)).step).toBe('payable');
    expect(stateAfter(prepared, preparationFailed(refusal('already_sold'))).step).toBe('refused');
  });
});

describe('on reopening the page', () => {
  it('a paid booking is shown as paid, without a card form', () => {
    const state = toInitialState({ ...unpaid, state: 'Paid', transactionId: 'pi_1' });
    expect(state).toEqual({ step: 'paid', transactionId: 'pi_1', justNow: false });
    expect(nextState(state, prepared)).toBe(state);
  });

  it.each(['Sold', 'Cancelled'] as const)('refuses a %s booking', (state) => {
    expect(toInitialState({ ...unpaid, state })).toMatchObject({
      step: 'refused',
      message: expect.stringContaining('ThinkPad X1'),
    });
  });

  it('becomes paid when the payment was made in another tab', () => {
    const paid: PaymentEvent = { type: 'booking', booking: { ...unpaid, state: 'Paid' } };
    expect(stateAfter(prepared, paid)).toMatchObject({ step: 'paid', justNow: false });
  });

  it('is prepared anew when a refused booking can be paid again, at its price or a new one', () => {
    const booking = (change: object): PaymentEvent => ({
      type: 'booking',
      booking: { ...unpaid, ...change },
    });
    const paused = stateAfter(prepared, booking({ state: 'Paused' }));
    expect(paused).toMatchObject({ step: 'refused' });
    expect(nextState(paused, booking({}))).toEqual({ step: 'preparing' });
    expect(nextState(paused, booking({ newPrice: 600 }))).toEqual({ step: 'new-price' });
    expect(nextState(paused, booking({ state: 'Paid' })).step).toBe('paid');
    const sold = stateAfter({ type: 'not-prepared', problem: refusal('already_sold') });
    expect(nextState(sold, booking({ state: 'Sold' }))).toBe(sold);
  });
});

describe('a raised price', () => {
  const raised = { ...unpaid, newPrice: 600 };

  it('is agreed to before anything is prepared, and then prepared', () => {
    expect(toInitialState(raised)).toEqual({ step: 'new-price' });
    expect(nextState({ step: 'new-price' }, { type: 'booking', booking: raised })).toEqual({
      step: 'new-price',
    });
    expect(nextState({ step: 'new-price' }, { type: 'booking', booking: unpaid })).toEqual({
      step: 'preparing',
    });
  });

  it('is shown instead of an open card field, but not of a charge under way', () => {
    const event = { type: 'booking', booking: raised } as const;
    const payable = {
      step: 'payable',
      clientSecret: 'pi_secret',
      problem: null,
      paymentWindow: null,
    } as const;
    expect(nextState(payable, event)).toEqual({ step: 'new-price' });
    const confirming = { step: 'confirming', clientSecret: 'pi_secret' } as const;
    expect(nextState(confirming, event)).toBe(confirming);
  });
});
