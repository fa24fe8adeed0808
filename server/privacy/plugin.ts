import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/privacy.ts';
import { toPhotoUrl } from '../catalogue/rules.ts';
import { type Api, registerCalls } from '../http/api.ts';
import type { PaymentDependencies } from '../payments/actions.ts';
import * as actions from './actions.ts';

/** Export of one's own data and end of one's own account. */
export async function privacyPlugin(
  app: FastifyInstance,
  { api, origin, ...dependencies }: PaymentDependencies & { api: Api; origin: string },
): Promise<void> {
  const photoUrl = (photo: string) => toPhotoUrl(photo, origin);
  await registerCalls(app, api, (serve) => {
    serve(contract.readOwnData, ({ caller }) => actions.readOwnData(dependencies.database, caller, photoUrl));

    serve(contract.deleteOwnAccount, async ({ caller, query }) => ({
      acknowledged: true,
      deletedCount: 1,
      kept: await actions.deleteOwnAccount(dependencies, caller, query.email),
    }));
  });
}
