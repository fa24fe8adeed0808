import { describe, expect, test } from 'vitest';
import type { PayoutProcessor } from '#server/money/payouts/payout-processor.ts';

/** A processor of payouts with the sellers and the buyers behind it. */
export interface OpenPayoutProcessor {
  processor: PayoutProcessor;
  newKey(): string;
  /** An account that can receive transfers. @returns its id */
  onboardedAccount(): Promise<string>;
  /** A payment of 100.00. @returns its charge */
  charge(): Promise<string>;
  /** Makes all money available. */
  settleFunds(): Promise<void>;
  /** Loses the response to the next transfer, which is made. */
  loseNextTransfer(): Promise<void>;
}

/** What every processor of payouts must do. */
export function testPayoutProcessor(open: () => OpenPayoutProcessor): void {
  describe('as a processor of payouts', () => {
    test('it makes one account per key', async () => {
      const { processor, newKey } = open();
      const request = {
        sellerId: 'seller-2',
        email: 'sam@example.com',
        name: 'Sam Seller',
        entityType: 'individual' as const,
        country: 'US',
        idempotencyKey: newKey(),
      };
      const account = await processor.createAccount(request);
      expect(account).toMatchObject({ isClosed: false, transfers: 'restricted' });
      expect((await processor.createAccount(request)).accountId).toBe(account.accountId);
      expect(await processor.readAccount(account.accountId)).toEqual(account);
    });

    test('it makes one transfer per key, also when the response is lost, and finds it by its reference', async () => {
      const { processor, newKey, ...shop } = open();
      const accountId = await shop.onboardedAccount();
      const request = {
        ...{ accountId, amountCents: 9_000, orderId: 'order-1', reference: 'release' },
        ...{ chargeId: await shop.charge(), idempotencyKey: newKey() },
      };
      await shop.loseNextTransfer();
      const transferId = await processor.createTransfer(request);
      expect(await processor.createTransfer(request)).toBe(transferId);
      const find = (changes: Partial<{ accountId: string; reference: string; since: Date }> = {}) =>
        processor.findTransfer({ accountId, reference: 'release', since: new Date(), ...changes });
      expect(await find()).toBe(transferId);
      expect(await find({ reference: 'other' })).toBeNull();
      expect(await find({ accountId: await shop.onboardedAccount() })).toBeNull();
      expect(await find({ since: new Date(Date.now() + 24 * 3_600_000) })).toBeNull();
      expect(await processor.reversedCents(transferId)).toBe(0);
      expect(await processor.reversedCents('tr_unknown')).toBeNull();
    });

    test('it reverses a transfer in parts, once per key, and not beyond its amount', async () => {
      const { processor, newKey, ...shop } = open();
      const transferId = await processor.createTransfer({
        ...{ accountId: await shop.onboardedAccount(), amountCents: 9_000, orderId: newKey() },
        ...{ chargeId: await shop.charge(), reference: 'release', idempotencyKey: newKey() },
      });
      await shop.settleFunds();
      const request = { transferId, amountCents: 4_000, reference: 'refund-1', idempotencyKey: newKey() };
      const reversalId = await processor.reverseTransfer(request);
      expect(await processor.reverseTransfer(request)).toBe(reversalId);
      expect(await processor.findReversal({ transferId, reference: 'refund-1' })).toBe(reversalId);
      expect(await processor.findReversal({ transferId, reference: 'refund-2' })).toBeNull();
      expect(await processor.reversedCents(transferId)).toBe(4_000);
      await expect(
        processor.reverseTransfer({
          ...{ transferId, amountCents: 5_001, reference: 'refund-2', idempotencyKey: newKey() },
        }),
      ).rejects.toMatchObject({ reason: 'insufficient_funds' });
    });
  });
}
