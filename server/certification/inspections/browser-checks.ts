import type { CheckedLaptop, submitBrowserCheck } from '#contract/certification/browser-checks.ts';
import type { Database } from '#server/platform/database/tables.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import type { Call } from '#server/platform/http/serve.ts';
import type { InspectionDependencies } from './actions.ts';
import { findCode } from './code-store.ts';
import { hashCode, measuredBy, useCode } from './codes.ts';
import * as store from './store.ts';

const refused = (kept: string) =>
  new Refusal(
    'check_refused',
    `This code is not known, was used for a check already, or has expired. ${kept} Please get a new code on the page “Measure this laptop”.`,
  );

/** The laptop or the draft that is checked with a code. @throws Refusal */
export async function readCode(database: Database, code: string): Promise<CheckedLaptop> {
  const found = await findCode(database, hashCode(code), 'check');
  if (found === undefined) throw refused('Nothing was started.');
  const { name, isDraft, expiresAt } = found;
  return {
    productName: isDraft ? `your new laptop, slip ${name}` : name,
    expiresAt: expiresAt.toISOString(),
  };
}

/**
 * Stores a browser check and uses its code once. The same check sent again is acknowledged, because its first
 * response may have been lost.
 * @throws Refusal for a code that cannot be used; nothing is kept then
 */
export async function storeBrowserCheck(
  { database, cache }: InspectionDependencies,
  { code, results, browser }: Call<typeof submitBrowserCheck>['body'],
): Promise<void> {
  const check = { codeSha256: hashCode(code), results, browser };
  await database.transaction().execute(async (transaction) => {
    const taken = await useCode(transaction, check.codeSha256, 'check');
    if (taken !== null) return store.insertBrowserCheck(transaction, measuredBy(taken), check);
    if (!(await store.hasBrowserCheck(transaction, check)))
      throw refused('The results were not kept by the shop; they are still on the page that sent them.');
  });
  await cache.waitForInvalidation();
}
