// Measures a laptop before it is listed.

import {
  DRAFT_DAYS,
  type DraftMeasurement,
  MAXIMUM_DRAFTS,
  MAXIMUM_EARLIER_MEASUREMENTS,
} from '#contract/certification/laptop-drafts.ts';
import { giveSlipCode } from '#server/listings/catalogue/steps.ts';
import { lockActiveAccount } from '#server/people/accounts/steps.ts';
import type { Database, Row, Transaction } from '#server/platform/database/tables.ts';
import { accountEnded, Refusal } from '#server/platform/http/refusal.ts';
import type { Caller } from '#server/platform/http/serve.ts';
import { replaceCode } from './code-store.ts';
import { hashCode, newCode } from './codes.ts';
import { addRememberedDeviceLocks, serializeMachine } from './device-locks.ts';
import * as draftStore from './draft-store.ts';
import { allowedConditions } from './rules.ts';
import { type LevelDependencies, latestCheckOf, updateLevel } from './steps.ts';
import { endEvidenceOfReturnedMachine, latestMeasurement, setMeasuredBattery } from './store.ts';

const unknownDraft = () =>
  new Refusal(
    'not_found',
    `This draft is not among yours, or its ${DRAFT_DAYS} days are over. Please start a new measurement.`,
  );

/** Creates a draft. @returns its id, and the code for the slip of paper @throws Refusal when the account has ended */
export function createDraft(database: Database, seller: Caller): ReturnType<typeof draftStore.insertDraft> {
  return database.transaction().execute(async (transaction) => {
    if (!(await lockActiveAccount(transaction, seller.userId))) throw accountEnded();
    return draftStore.insertDraft(transaction, seller.userId, { days: DRAFT_DAYS, maximum: MAXIMUM_DRAFTS });
  });
}

/** Creates a one-time code for a draft, in place of an earlier one. @throws Refusal for a draft that is not the caller's */
export async function createDraftCode(
  database: Database,
  seller: Caller,
  id: string,
): Promise<{ code: string; expiresAt: Date }> {
  const code = newCode();
  const expiresAt = await database.transaction().execute(async (transaction) => {
    await lockOwnDraft(transaction, seller, id);
    await draftStore.prolongDraft(transaction, id, DRAFT_DAYS);
    await draftStore.removeOldEvidence(transaction, id, MAXIMUM_EARLIER_MEASUREMENTS);
    return replaceCode(transaction, { draft_id: id }, hashCode(code));
  });
  return { code, expiresAt };
}

/** @throws Refusal when it is not a draft of the caller */
export async function requireOwnDraft(
  database: Database,
  seller: Caller,
  id: string,
): Promise<Row<'laptop_drafts'>> {
  const draft = await draftStore.findDraft(database, { id, sellerId: seller.userId });
  if (draft === undefined) throw unknownDraft();
  return draft;
}

/** @throws Refusal when it is not a draft of the caller */
async function lockOwnDraft(transaction: Transaction, seller: Caller, id: string): Promise<void> {
  const draft = await draftStore.selectDraftForUpdate(transaction, { id, sellerId: seller.userId });
  if (draft === undefined) throw unknownDraft();
}

/** A caller's draft with its latest measurement and browser check. @throws Refusal */
export async function readDraft(
  { database, shop }: LevelDependencies & { database: Database },
  seller: Caller,
  id: string,
): Promise<DraftMeasurement> {
  const { slip_code: slipCode } = await requireOwnDraft(database, seller, id);
  const row = await latestMeasurement(database, { draft_id: id });
  return {
    slipCode,
    check: await latestCheckOf(database, { draft_id: id }, null),
    measurement:
      row === undefined
        ? null
        : {
            measuredAt: row.measured_at.toISOString(),
            measuredWith: row.measured_with,
            machine: row.machine,
            conditions: allowedConditions(row.machine, shop().batteryFloors),
          },
  };
}

/**
 * Deletes the measurements and the browser checks of a caller's draft, which keeps its code for the slip.
 * @returns 1 when there was one of them, whose one-time code ends as well
 * @throws Refusal for a draft that is not the caller's
 */
export function discardMeasurement(database: Database, seller: Caller, id: string): Promise<number> {
  return database.transaction().execute(async (transaction) => {
    await lockOwnDraft(transaction, seller, id);
    return (await draftStore.deleteEvidence(transaction, id)) ? 1 : 0;
  });
}

/** Deletes a caller's draft. @returns the number of deleted drafts */
export const discardDraft = (database: Database, seller: Caller, id: string): Promise<number> =>
  draftStore.deleteDraft(database, { id, sellerId: seller.userId });

/**
 * Ends the draft of a laptop that was listed with one. Its code for the slip, its measurements of the machine that was measured last and
 * the browser check of that machine become the laptop's. The rest is deleted with the draft: a seller can measure a wrong laptop first.
 * @throws Refusal for a draft that is not the seller's, has expired or was used
 */
export async function moveDraftToLaptop(
  transaction: Transaction,
  dependencies: LevelDependencies,
  { laptopId, sellerId, draftId }: { laptopId: string; sellerId: string; draftId: string | undefined },
): Promise<void> {
  if (draftId === undefined) return;
  const draft = await draftStore.selectDraftForUpdate(transaction, { id: draftId, sellerId });
  if (draft === undefined) {
    throw new Refusal(
      'invalid_input',
      'This draft is not among yours, was used for another product, or was deleted. Nothing was listed. Please measure the laptop again and get a new code for the slip, or list it without them.',
      { errors: { draftId: 'Measure the laptop again and get a new code, or list it without them' } },
    );
  }
  await giveSlipCode(transaction, laptopId, draft.slip_code);
  const measurement = await latestMeasurement(transaction, { draft_id: draftId });
  const check = await latestCheckOf(transaction, { draft_id: draftId }, null);
  if (measurement !== undefined) await draftStore.moveMeasurements(transaction, measurement, laptopId);
  if (check !== null) await draftStore.moveCheck(transaction, check._id, laptopId);
  await draftStore.deleteDraft(transaction, { id: draftId, sellerId });
  if (measurement === undefined) return;
  await setMeasuredBattery(transaction, laptopId, measurement.machine);
  const { machine_hash: machineHash, measured_at: measuredAt } = measurement;
  if (machineHash !== null) await serializeMachine(transaction, machineHash);
  await addRememberedDeviceLocks(transaction, { id: laptopId, seller_id: sellerId });
  if (machineHash !== null) {
    await endEvidenceOfReturnedMachine(transaction, laptopId, { machineHash, measuredAt });
  }
  await updateLevel(transaction, dependencies, laptopId);
}
