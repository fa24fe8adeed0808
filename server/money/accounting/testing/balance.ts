import type { BalanceReader, BalanceTransaction } from '../balance-reader.ts';

/** A movement with defaults for what a test does not care about. */
type Movement = Partial<BalanceTransaction> & Pick<BalanceTransaction, 'type' | 'amountCents'>;

/** A balance whose movements a test sets. It gives pages of two. */
export function createBalance(): BalanceReader & {
  add(movement: Movement): BalanceTransaction;
  remove(movement: BalanceTransaction): void;
  /** The requests so far. */
  readings: { from: Date; until: Date }[];
} {
  const movements: BalanceTransaction[] = [];
  const readings: { from: Date; until: Date }[] = [];
  let added = 0;
  return {
    readings,
    add: (movement) => {
      added += 1;
      const complete: BalanceTransaction = {
        balanceTransactionId: `txn_${added}`,
        feeCents: 0,
        sourceId: null,
        transactionId: null,
        transferId: null,
        currency: 'usd',
        category: movement.type,
        createdAt: new Date(),
        ...movement,
      };
      movements.unshift(complete);
      return complete;
    },
    remove: (movement) => {
      movements.splice(movements.indexOf(movement), 1);
    },
    listBalanceTransactions: async ({ from, until, cursor }) => {
      readings.push({ from, until });
      const start = Number(cursor ?? 0);
      const listed = movements.filter(({ createdAt }) => createdAt >= from && createdAt < until);
      return {
        items: listed.slice(start, start + 2),
        nextCursor: start + 2 < listed.length ? String(start + 2) : null,
      };
    },
  };
}
