import * as contract from '#contract/privacy.ts';
import { toPhotoUrl } from '../catalogue/rules.ts';
import type { Serve } from '../http/serve.ts';
import type { PaymentDependencies } from '../payments/actions.ts';
import * as actions from './actions.ts';

/** Routes for exporting one's own data and ending one's own account. */
export function privacyRoutes(serve: Serve, dependencies: PaymentDependencies & { origin: string }): void {
  const { database, origin } = dependencies;
  const photoUrl = (photo: string) => toPhotoUrl(photo, origin);

  serve(contract.readOwnData, ({ caller }) => actions.readOwnData(database, caller, photoUrl));

  serve(contract.deleteOwnAccount, async ({ caller, query }) => ({
    acknowledged: true,
    deletedCount: 1,
    kept: await actions.deleteOwnAccount(dependencies, caller, query.email),
  }));
}
