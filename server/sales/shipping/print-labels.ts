import { type LabelPaper, MAXIMUM_PRINTED } from '#contract/sales/labels.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import type { Caller } from '#server/platform/http/serve.ts';
import { CarriersRefusal, CarriersUnavailable } from './carriers.ts';
import * as store from './label-store.ts';
import { type LabelDependencies, requireCarriers } from './labels.ts';
import { joinLabels } from './print.ts';

/** How many labels are fetched at a time. */
const FETCHED_AT_ONCE = 4;

/** The caller's labels as one PDF. @throws Refusal */
export async function printLabels(
  dependencies: LabelDependencies,
  { userId }: Pick<Caller, 'userId'>,
  { paper, label }: { paper: LabelPaper; label?: string | undefined },
): Promise<{ labels: number; pdf: string }> {
  const { database } = dependencies;
  const carriers = requireCarriers(dependencies);
  const rows = await store.printableLabels(database, userId, label ?? null, MAXIMUM_PRINTED);
  if (rows.length === 0) {
    throw new Refusal(
      'label_refused',
      label === undefined
        ? 'All labels were printed. A label can be printed again on its order.'
        : 'This label cannot be printed: it was not bought, was used, or was given back.',
    );
  }
  const files: Uint8Array[] = [];
  try {
    for (let at = 0; at < rows.length; at += FETCHED_AT_ONCE) {
      const some = rows.slice(at, at + FETCHED_AT_ONCE);
      files.push(...(await Promise.all(some.map(({ shipment_id }) => carriers.label(shipment_id)))));
    }
  } catch (error) {
    if (!(error instanceof CarriersUnavailable) && !(error instanceof CarriersRefusal)) throw error;
    throw new Refusal(
      'carrier_unavailable',
      'The carrier does not give out the labels at the moment. They stay bought, and none counts as printed; please try again in a few minutes.',
    );
  }
  const pdf = await joinLabels(files, paper);
  await store.markPrinted(
    database,
    rows.map(({ id }) => id),
    new Date(),
  );
  return { labels: rows.length, pdf: Buffer.from(pdf).toString('base64') };
}
