import { enqueueForAdmins } from '#server/people/accounts/steps.ts';
import type { ProcessorDependencies } from './accounts.ts';
import { transferRefused } from './notifications.ts';
import { claimRefusalNotice } from './transfer-store.ts';

/** Tells each admin and the log of a refused transfer: once, however often it is tried again. */
export async function reportRefusal(
  { database, enqueue }: Pick<ProcessorDependencies, 'database' | 'enqueue'>,
  transferId: string,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    if (!(await claimRefusalNotice(transaction, transferId))) return;
    const toAdmin = (adminId: string | null) => ({ transferId, adminId });
    await enqueue(transaction, transferRefused, toAdmin(null));
    await enqueueForAdmins(transaction, enqueue, 'money', [transferRefused, toAdmin]);
  });
}
