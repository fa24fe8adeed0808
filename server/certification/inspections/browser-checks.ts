import type {
  CheckedLaptop,
  LatestBrowserCheck,
  submitBrowserCheck,
} from '#contract/certification/browser-checks.ts';
import type { Database } from '#server/platform/database/tables.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import type { Call, Caller } from '#server/platform/http/serve.ts';
import { type InspectionDependencies, readForEverybody, requireOwnLaptop } from './actions.ts';
import * as codeStore from './code-store.ts';
import { hashCode } from './codes.ts';
import * as draftStore from './draft-store.ts';
import { latestCheck } from './steps.ts';
import * as store from './store.ts';

const refused = (kept: string) =>
  new Refusal(
    'check_refused',
    `This code is not known, was used for a check already, or has expired. ${kept} Please get a new code on the page “Measure this laptop”.`,
  );

/** The laptop or the draft that is checked with a code. @throws Refusal */
export async function readCode(database: Database, code: string): Promise<CheckedLaptop> {
  const codeSha256 = hashCode(code);
  const found = await codeStore.findCheckCode(database, codeSha256);
  if (found !== undefined) return { productName: found.name, expiresAt: found.expires_at.toISOString() };
  const draft = await draftStore.findDraftOfCheckCode(database, codeSha256);
  if (draft === undefined || draft.code_expires_at === null) throw refused('Nothing was started.');
  return {
    productName: `your new laptop, slip ${draft.slip_code}`,
    expiresAt: draft.code_expires_at.toISOString(),
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
    const consumed = await codeStore.consumeCode(transaction, check.codeSha256, 'check');
    if (consumed !== null) return store.insertBrowserCheck(transaction, consumed.laptopId, check);
    if (await draftStore.storeDraftCheck(transaction, check)) return;
    if (!(await store.hasBrowserCheck(transaction, check)))
      throw refused('The results were not kept by the shop; they are still on the page that sent them.');
  });
  await cache.waitForInvalidation();
}

/** The latest browser check of the caller's laptop. @throws Refusal */
export async function readOwnCheck(
  database: Database,
  seller: Caller,
  laptopId: string,
): Promise<LatestBrowserCheck> {
  const laptop = await requireOwnLaptop(database, seller, laptopId);
  return { check: await latestCheck(database, laptop) };
}

/**
 * The latest browser check of a laptop for everybody: only beside a measurement that they see, because nothing else
 * suggests which machine was checked.
 * @throws Refusal for an unknown laptop
 */
export async function readPublicCheck(
  dependencies: InspectionDependencies,
  laptopId: string,
): Promise<LatestBrowserCheck> {
  const { laptop, measurement } = await readForEverybody(dependencies, laptopId);
  const check = measurement && (await latestCheck(dependencies.database, laptop));
  return { check: check?.implausibilities.length === 0 ? check : null };
}
