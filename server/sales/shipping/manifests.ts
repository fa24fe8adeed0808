import { randomUUID } from 'node:crypto';
import { MAXIMUM_PRINTED, type Manifest } from '#contract/sales/labels.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import type { Caller } from '#server/platform/http/serve.ts';
import { type Carriers, CarriersRefusal, CarriersUnavailable } from './carriers.ts';
import { type LabelDependencies, requireCarriers } from './labels.ts';
import * as store from './manifest-store.ts';

/** The most labels of which a seller's manifests are found. */
const MAXIMUM_LABELS = 10 * MAXIMUM_PRINTED;

/** A carrier takes only labels of the day, at EasyPost: in UTC, which no document says. */
const conditionsOf = ({ manifestCarriers }: Carriers, now: Date): store.ManifestConditions => ({
  since: new Date(now.toISOString().slice(0, 10)),
  carriers: manifestCarriers,
});

/** The manifests of a seller: those that exist, as long as their parcels are not handed over, and those that can be made now. */
export async function listManifests(
  { database, carriers }: LabelDependencies,
  sellerId: string,
  now: Date,
): Promise<Manifest[]> {
  if (carriers === null) return [];
  const rows = await store.labelsWithManifests(
    database,
    sellerId,
    conditionsOf(carriers, now),
    MAXIMUM_LABELS,
  );
  return [...Map.groupBy(rows, ({ manifest, carrier }) => manifest ?? carrier).values()]
    .map((labels) => ({
      carrier: labels[0]?.carrier ?? '',
      labels: labels.slice(0, MAXIMUM_PRINTED).map(({ id }) => id),
      isMade: labels.every(({ manifest }) => manifest !== null),
    }))
    .filter(({ isMade, labels }) => isMade || labels.length > 1);
}

/** Finds labels that are on one manifest, or brings them to a new one. @throws Refusal */
async function takeLabels(
  { database }: LabelDependencies,
  sellerId: string,
  ids: readonly string[],
  conditions: store.ManifestConditions,
) {
  return database.transaction().execute(async (transaction) => {
    const labels = await store.selectLabelsToHandOver(transaction, sellerId, ids, conditions);
    const [first] = labels;
    if (first === undefined || labels.length !== ids.length) {
      throw new Refusal(
        'label_refused',
        'One of these labels is not yours, was used, or was given back. Nothing was changed; please open My Buyers again.',
      );
    }
    if (first.manifest !== null && labels.every(({ manifest }) => manifest === first.manifest)) return labels;
    if (labels.length < 2 || labels.some(({ is_free, carrier }) => !is_free || carrier !== first.carrier)) {
      throw new Refusal(
        'label_refused',
        'A sheet needs two labels of one carrier that takes sheets, bought today from one address, and neither scanned nor on another sheet. Nothing was changed; the carrier can scan each label by itself.',
      );
    }
    await store.setManifest(transaction, ids, randomUUID());
    return labels;
  });
}

/**
 * The manifest of a seller's labels as a PDF. The labels are recorded as belonging together before the carrier is asked, so that a retry
 * after a lost answer finds the same manifest.
 * @throws Refusal
 */
export async function printManifest(
  dependencies: LabelDependencies,
  { userId }: Pick<Caller, 'userId'>,
  ids: readonly string[],
  now: Date,
): Promise<{ pdf: string }> {
  const carriers = requireCarriers(dependencies);
  const labels = await takeLabels(dependencies, userId, ids, conditionsOf(carriers, now));
  try {
    const pdf = await carriers.manifest(
      labels.map(({ shipment_id, tracking_number }) => ({
        shipmentId: shipment_id,
        trackingNumber: tracking_number,
      })),
    );
    return { pdf: Buffer.from(pdf).toString('base64') };
  } catch (error) {
    if (error instanceof CarriersUnavailable) {
      throw new Refusal(
        'carrier_unavailable',
        'The carrier does not give out the sheet at the moment. The labels are kept for it; please try again in a few minutes.',
      );
    }
    if (!(error instanceof CarriersRefusal)) throw error;
    await store.setManifest(dependencies.database, ids, null);
    throw new Refusal(
      'label_refused',
      `The carrier makes no sheet of these parcels: ${error.message} The labels stay valid; the carrier can scan each by itself.`,
    );
  }
}
