import { describe, expect, test } from 'vitest';
import type { CardProcessor, NewIntent } from '#server/sales/payments/card-processor.ts';

/** A card processor with the buyers behind it. */
export interface OpenCardProcessor {
  cards: CardProcessor;
  newIntent(changes?: Partial<NewIntent>): NewIntent;
  /** Pays an intent with a good card, as a buyer's browser does. */
  pay(clientSecret: string): Promise<void>;
}

/** What every card processor must do. */
export function testCardProcessor(open: () => OpenCardProcessor): void {
  const paid = async ({ cards, newIntent, pay }: OpenCardProcessor) => {
    const { transactionId, clientSecret } = await cards.createIntent(newIntent());
    await pay(clientSecret);
    return transactionId;
  };

  describe('as a card processor', () => {
    test('it creates one intent per key, which is paid once and then not cancelled', async () => {
      const { cards, newIntent, pay } = open();
      const request = newIntent();
      const intent = await cards.createIntent(request);
      expect(intent).toMatchObject({
        ...{ status: 'payable', amountCents: request.amountCents, receivedCents: 0 },
        bookingId: request.bookingId,
      });
      expect(await cards.createIntent(request)).toEqual(intent);
      await expect(cards.createIntent({ ...request, amountCents: 1 })).rejects.toThrow();
      await pay(intent.clientSecret);
      expect(await cards.readIntent(intent.transactionId)).toMatchObject({
        ...{ status: 'succeeded', receivedCents: request.amountCents },
      });
      expect(await cards.cancelIntent(intent.transactionId)).toMatchObject({ status: 'succeeded' });
    });

    test('it cancels what is not paid, and knows nothing of what does not exist', async () => {
      const { cards, newIntent } = open();
      const { transactionId } = await cards.createIntent(newIntent());
      expect(await cards.cancelIntent(transactionId)).toMatchObject({ status: 'canceled' });
      expect(await cards.cancelIntent(transactionId)).toMatchObject({ status: 'canceled' });
      expect(await cards.readIntent('pi_unknown')).toBeNull();
      expect(await cards.cancelIntent('pi_unknown')).toBeNull();
      expect(await cards.readRefund('re_unknown')).toBeNull();
      expect(await cards.readDispute('du_unknown')).toBeNull();
      expect(await cards.readFraudWarning('issfr_unknown')).toBeNull();
    });

    test('it has one customer per key, who can be changed and deleted, and knows nothing of others', async () => {
      const { cards } = open();
      const create = () => cards.createCustomer({ buyerId: 'b', idempotencyKey: 'one-customer' });
      const id = await create();
      expect(await create()).toBe(id);
      // With an extension, a number can be longer than the card processor's field.
      const phone = '+49 30 901820 ext. 1234';
      const update = (of: string) => cards.updateCustomer(of, { name: 'Bea', verifiedEmail: null, phone });
      expect([await update(id), await update('cus_unknown')]).toEqual([true, false]);
      await cards.deleteCustomer(id);
      await cards.deleteCustomer(id);
      expect(await update(id)).toBe(false);
    });

    test('it refunds in parts, once per key, and no more than was paid', async () => {
      const opened = open();
      const { cards, newIntent } = opened;
      const transactionId = await paid(opened);
      const refund = (amountCents: number, key: string) =>
        cards.refund({
          transactionId,
          amountCents,
          reference: key,
          idempotencyKey: `${transactionId} ${key}`,
        });
      const part = await refund(10_000, 'a');
      expect(part).toMatchObject({ transactionId, amountCents: 10_000, reference: 'a' });
      expect((await refund(10_000, 'a')).refundId).toBe(part.refundId);
      const beyond = await refund(newIntent().amountCents, 'b');
      expect(beyond).toMatchObject({ refundId: null, status: 'failed' });
      await refund(500, 'c');
      expect((await cards.listRefunds(transactionId)).map(({ amountCents }) => amountCents)).toEqual([
        10_000, 500,
      ]);
    });

    test('it reads no event that nobody signed', () => {
      const { cards } = open();
      const payload = Buffer.from('{"id":"evt_1","type":"a.b","data":{"object":{}}}');
      for (const signature of ['', 't=1,v1=00', `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}`]) {
        expect(cards.readEvent(payload, signature, ['whsec_other'])).toBe('unsigned');
      }
    });
  });
}
