import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/listings/subscriptions.ts';
import type { UnsubscribeLinks } from '#server/people/unsubscribe-links.ts';
import type { Context } from '#server/platform/context.ts';
import { registerCalls } from '#server/platform/http/api.ts';
import { describeSubscription, unknownLink } from './actions.ts';
import { unsubscribeRoute } from './unsubscribe-route.ts';

/** The unsubscribe links of emails: the call of their page, and the POST that mail programs send. */
export async function subscriptionsPlugin(
  app: FastifyInstance,
  { api, database, unsubscribeLinks: links }: Context & { unsubscribeLinks: UnsubscribeLinks },
): Promise<void> {
  await registerCalls(app, api, (serve) =>
    serve(contract.readSubscription, async ({ params }) => {
      const subscription = links.read(params.token);
      if (subscription === null) throw unknownLink();
      return describeSubscription(database, subscription);
    }),
  );
  await app.register((scope) => unsubscribeRoute(scope, { database, links }));
}
