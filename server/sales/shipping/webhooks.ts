import type { FastifyInstance } from 'fastify';
import { sendProblem } from '#server/platform/http/problems.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import type { Carriers } from './carriers.ts';
import { labelsOfShipments } from './label-store.ts';
import { type LabelDependencies, labelChanged } from './labels.ts';

const eventProblems = {
  unsigned: 'This event does not bear the signature of the carriers’ aggregator.',
  malformed: 'The signed payload is not an event.',
} as const;

/**
 * Receives the aggregator's signed events at `POST /webhooks/easypost`. A job then reads the present state of the parcel, so that
 * repeated, late and out-of-order events change nothing. Events about parcels of others are ignored.
 */
export async function carrierWebhooks(
  app: FastifyInstance,
  { carriers, database, enqueue }: LabelDependencies & { carriers: Carriers },
): Promise<void> {
  app.removeAllContentTypeParsers();
  // The signature covers the unparsed bytes.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.post('/webhooks/easypost', async (request, reply) => {
    const signature = request.headers['x-hmac-signature'];
    const event =
      Buffer.isBuffer(request.body) && typeof signature === 'string'
        ? carriers.readEvent(request.body, signature)
        : 'unsigned';
    if (event === 'unsigned' || event === 'malformed') {
      return sendProblem(reply, new Refusal('malformed_request', eventProblems[event]));
    }
    const { shipmentId } = event;
    const labels = await labelsOfShipments(database, shipmentId === null ? [] : [shipmentId]);
    for (const { id: labelId } of labels) {
      await database.transaction().execute((transaction) => enqueue(transaction, labelChanged, { labelId }));
    }
    return reply.code(200).send({ received: true });
  });
}
