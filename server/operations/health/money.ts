import type { FastifyBaseLogger } from 'fastify';
import type { Context } from '#server/platform/context.ts';
import { ask } from './ask-with-timeout.ts';
import type { Judgement, Unanswered } from './check-result.ts';
import { judgeBalance, judgeCommission } from './money-rules.ts';
import type { PlatformAccount, PlatformReader } from './platform.ts';
import { readLedger } from './store.ts';

export interface MoneyDependencies extends Pick<Context, 'database' | 'shop'> {
  /** The shop's account at the card processor; null when it cannot be read. */
  platform: PlatformReader | null;
}

/** Checks the balance at the card processor, its payout schedule and currency, and whether the commission covers the fees. */
export async function checkMoney({ database, platform, shop }: MoneyDependencies): Promise<{
  account: PlatformAccount | Unanswered | null;
  balance: Judgement;
  commission: Judgement;
}> {
  const [account, ledger] = await Promise.all([
    platform && ask('The card processor', () => platform.readPlatform()),
    ask('The ledger', () => readLedger(database)),
  ]);
  return {
    account,
    balance: judgeBalance(account, ledger, { paysByTransfer: shop().payoutMethod === 'card_processor' }),
    commission: judgeCommission(ledger, shop().commission),
  };
}

/** Logs the payout schedule of the card processor and what is wrong with the shop's money. Never rejects. */
export async function logMoney(
  dependencies: MoneyDependencies,
  logger: Pick<FastifyBaseLogger, 'info' | 'warn'>,
): Promise<void> {
  const { account, ...judgements } = await checkMoney(dependencies);
  logger.info({ account }, 'the account at the card processor');
  for (const { state, finding, advice } of Object.values(judgements)) {
    if (state !== 'fine') logger.warn([finding, advice].filter(Boolean).join(' '));
  }
}
