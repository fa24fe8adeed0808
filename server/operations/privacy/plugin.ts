import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/operations/privacy.ts';
import type { PublishDependencies } from '#server/listings/events.ts';
import type { PhotoLinks } from '#server/listings/photo-links.ts';
import type { Context } from '#server/platform/context.ts';
import { registerCalls } from '#server/platform/http/api.ts';
import type { PaymentDependencies } from '#server/sales/payments/actions.ts';
import * as actions from './actions.ts';

/** Export of one's own data and end of one's own account. */
export async function privacyPlugin(
  app: FastifyInstance,
  options: Context & PaymentDependencies & PublishDependencies & { photoLinks: PhotoLinks },
): Promise<void> {
  const { api, database, photoLinks } = options;
  const photoUrl = (photo: string) => photoLinks.urlOf(photo);
  await registerCalls(app, api, (serve) => {
    serve(contract.readOwnData, ({ caller }) => actions.readOwnData(database, caller, photoUrl));

    serve(contract.deleteOwnAccount, async ({ caller, query }) => ({
      acknowledged: true,
      deletedCount: 1,
      kept: await actions.deleteOwnAccount(options, caller, query.email),
    }));
  });
}
