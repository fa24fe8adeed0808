import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/operations/first-steps.ts';
import type { EmailSender } from '#server/people/notifications/email-sender.ts';
import type { Context } from '#server/platform/context.ts';
import { registerCalls } from '#server/platform/http/api.ts';
import * as actions from './actions.ts';

export interface FirstStepsOptions extends Context, actions.ConnectionDependencies {
  emailSender: Pick<EmailSender, 'deliver'>;
  /** The key of the link that makes the first admin. */
  ownershipKey: Uint8Array;
}

/** What the owner of a new shop does before it sells: becomes its admin, connects the card processor, tries the mail server. */
export async function firstStepsPlugin(app: FastifyInstance, options: FirstStepsOptions): Promise<void> {
  const { api, database, ownershipKey } = options;
  await registerCalls(app, api, (serve) => {
    serve(contract.claimShop, async ({ caller, body }) => {
      await actions.claimShop(database, caller, { given: body.key, own: ownershipKey });
      return { acknowledged: true };
    });
    serve(contract.connectCardProcessor, async ({ caller }) => ({
      acknowledged: true,
      created: await actions.refuseCardAccountErrors(actions.connectCardProcessor(options, caller.userId)),
    }));
    serve(contract.sendTestEmail, async ({ caller }) => {
      await actions.sendTestEmail(options, caller);
      return { acknowledged: true };
    });
  });
}
