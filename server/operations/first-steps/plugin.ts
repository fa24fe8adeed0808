import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/operations/first-steps.ts';
import type { ShopSettings } from '#contract/platform/shop-settings.ts';
import type { EmailSender } from '#server/people/notifications/email-sender.ts';
import type { Database } from '#server/platform/database/tables.ts';
import { type Api, registerCalls } from '#server/platform/http/api.ts';
import { WEBHOOK_PATH } from '#server/sales/payments/webhooks.ts';
import * as actions from './actions.ts';
import type { CardAccount } from './card-account.ts';

export interface FirstStepsOptions {
  api: Api;
  database: Database;
  /** The public origin, without a trailing slash. */
  origin: string;
  /** The settings at the moment. */
  shop: () => ShopSettings;
  emailSender: Pick<EmailSender, 'deliver'>;
  cardAccount: CardAccount;
  /** Null when sellers are paid by hand. */
  payoutProcessor: object | null;
  /** The key of the link that makes the first admin. */
  ownershipKey: Uint8Array;
}

/** What the owner of a new shop does before it sells: becomes its admin, connects the card processor, tries the mail server. */
export async function firstStepsPlugin(app: FastifyInstance, options: FirstStepsOptions): Promise<void> {
  const { api, database, origin, ownershipKey } = options;
  await registerCalls(app, api, (serve) => {
    serve(contract.claimShop, async ({ caller, body }) => {
      await actions.claimShop(database, caller, { given: body.key, own: ownershipKey });
      return { acknowledged: true };
    });
    serve(contract.connectCardProcessor, async ({ caller }) => ({
      acknowledged: true,
      created: await actions.refuseCardAccountErrors(
        actions.connectCardProcessor(
          {
            ...options,
            webhookUrl: `${origin}${WEBHOOK_PATH}`,
            paysSellers: options.payoutProcessor !== null,
          },
          caller.userId,
        ),
      ),
    }));
    serve(contract.sendTestEmail, async ({ caller }) => {
      await actions.sendTestEmail(options, caller);
      return { acknowledged: true };
    });
  });
}
