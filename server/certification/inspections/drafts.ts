// Measures a laptop before it is listed.

import { CODE_MINUTES } from '#contract/certification/inspections.ts';
import { DRAFT_DAYS, type DraftMeasurement, MAXIMUM_DRAFTS } from '#contract/certification/laptop-drafts.ts';
import { giveSlipCode } from '#server/listings/catalogue/steps.ts';
import { lockActiveAccount } from '#server/people/accounts/steps.ts';
import type { Database, Row, Transaction } from '#server/platform/database/tables.ts';
import { accountEnded, Refusal } from '#server/platform/http/refusal.ts';
import type { Caller } from '#server/platform/http/serve.ts';
import { hashCode, newCode } from './codes.ts';
import * as draftStore from './draft-store.ts';
import { findRememberedLocks, serializeMachine, withRememberedLocks } from './found-locks.ts';
import { allowedConditions } from './rules.ts';
import { type LevelDependencies, updateLevel } from './steps.ts';
import { endEvidenceOfReturnedMachine, insertBrowserCheck, insertMeasurement } from './store.ts';

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
  const lifetime = { minutes: CODE_MINUTES, days: DRAFT_DAYS };
  const draft = { id, sellerId: seller.userId };
  const expiresAt = await draftStore.replaceDraftCode(database, draft, hashCode(code), lifetime);
  if (expiresAt === undefined) throw unknownDraft();
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

/** A caller's draft with its latest measurement and browser check. @throws Refusal */
export async function readDraft(
  { database, shop }: LevelDependencies & { database: Database },
  seller: Caller,
  id: string,
): Promise<DraftMeasurement> {
  const draft = await requireOwnDraft(database, seller, id);
  const { measured_at, measured_with, machine, slip_code: slipCode, checked_at, check_results } = draft;
  const check =
    checked_at === null || check_results === null
      ? null
      : { checkedAt: checked_at.toISOString(), results: check_results };
  if (measured_at === null || measured_with === null || machine === null)
    return { slipCode, measurement: null, check };
  return {
    slipCode,
    check,
    measurement: {
      measuredAt: measured_at.toISOString(),
      measuredWith: measured_with,
      machine,
      conditions: allowedConditions(machine, shop().batteryFloors),
    },
  };
}

/**
 * Deletes the measurement and the browser check of a caller's draft, which keeps its code for the slip.
 * @returns 1 when there was one of them
 * @throws Refusal for a draft that is not the caller's
 */
export async function discardMeasurement(database: Database, seller: Caller, id: string): Promise<number> {
  await requireOwnDraft(database, seller, id);
  return (await draftStore.deleteDraftMeasurement(database, { id, sellerId: seller.userId })) ? 1 : 0;
}

/** Deletes a caller's draft. @returns the number of deleted drafts */
export async function discardDraft(database: Database, seller: Caller, id: string): Promise<number> {
  const draft = await draftStore.deleteDraft(database, { id, sellerId: seller.userId });
  return draft === undefined ? 0 : 1;
}

/** Moves a draft's browser check, if it has one, to its laptop. */
async function moveCheck(
  transaction: Transaction,
  laptopId: string,
  { checked_at, check_code_sha256, check_results, check_browser }: Row<'laptop_drafts'>,
): Promise<void> {
  if (checked_at === null || check_code_sha256 === null || check_results === null || check_browser === null) {
    return;
  }
  await insertBrowserCheck(transaction, laptopId, {
    codeSha256: check_code_sha256,
    results: check_results,
    browser: check_browser,
    checkedAt: checked_at,
  });
}

/**
 * Ends the draft of a laptop that was listed with one. Its code for the slip, its measurement and its browser check become the
 * laptop's.
 * @throws Refusal for a draft that is not the seller's, has expired or was used
 */
export async function takeDraft(
  transaction: Transaction,
  dependencies: LevelDependencies,
  { laptopId, sellerId, draftId }: { laptopId: string; sellerId: string; draftId: string | undefined },
): Promise<void> {
  if (draftId === undefined) return;
  const draft = await draftStore.deleteDraft(transaction, { id: draftId, sellerId });
  if (draft === undefined) {
    throw new Refusal(
      'invalid_input',
      'This draft is not among yours, was used for another product, or was deleted. Nothing was listed. Please measure the laptop again and get a new code for the slip, or list it without them.',
      { errors: { draftId: 'Measure the laptop again and get a new code, or list it without them' } },
    );
  }
  await giveSlipCode(transaction, laptopId, draft.slip_code);
  await moveCheck(transaction, laptopId, draft);
  const { measured_at, measured_with, machine, machine_hash, part_hashes } = draft;
  if (measured_at === null || measured_with === null || machine === null) return;
  if (machine_hash !== null) await serializeMachine(transaction, machine_hash);
  const remembered = await findRememberedLocks(transaction, {
    sellerId,
    machineHash: machine_hash,
    partHashes: part_hashes,
  });
  await insertMeasurement(transaction, laptopId, {
    system: measured_with,
    machine: withRememberedLocks(machine, machine_hash, remembered),
    machineHash: machine_hash,
    partHashes: part_hashes,
    measuredAt: measured_at,
  });
  if (machine_hash !== null) {
    const measured = { machineHash: machine_hash, measuredAt: measured_at };
    await endEvidenceOfReturnedMachine(transaction, laptopId, measured);
  }
  await updateLevel(transaction, dependencies, laptopId);
}
