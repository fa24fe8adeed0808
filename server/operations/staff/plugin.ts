import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/operations/staff.ts';
import type { EmailSender } from '#server/people/notifications/email-sender.ts';
import type { Context } from '#server/platform/context.ts';
import { registerCalls } from '#server/platform/http/api.ts';
import * as actions from './actions.ts';

/** Admins, their rights and their invitations. */
export async function staffPlugin(
  app: FastifyInstance,
  options: Context & { emailSender: EmailSender },
): Promise<void> {
  const { api, work, database } = options;
  await registerCalls(app, api, (serve) => {
    serve(contract.listStaff, () => actions.listStaff(database));
    serve(contract.changeRights, async ({ caller, params, body }) => {
      const isChanged = await actions.changeRights(database, caller, params._id, body);
      return { acknowledged: true, modifiedCount: isChanged ? 1 : 0 };
    });
    serve(contract.removeStaff, async ({ caller, params }) => {
      await actions.removeStaff(database, caller, params._id);
      return { acknowledged: true, deletedCount: 1 };
    });
    serve(contract.inviteStaff, async ({ caller, body }) => ({
      acknowledged: true,
      insertedId: await actions.invite(options, caller, body),
    }));
    serve(contract.withdrawInvitation, async ({ caller, params }) => {
      await actions.withdraw(database, caller, params._id);
      return { acknowledged: true, deletedCount: 1 };
    });
    serve(contract.readInvitation, ({ body }) => actions.readInvitation(database, body.token));
    serve(contract.acceptInvitation, async ({ caller, body }) => {
      await actions.acceptInvitation(database, caller, body.token);
      return { acknowledged: true };
    });
  });
  work.handle(actions.invitationDue, (data) => actions.sendInvitation(options, data));
  work.sweep('ended invitations could not be removed', () =>
    actions.removeEndedInvitations(database, new Date()),
  );
}
