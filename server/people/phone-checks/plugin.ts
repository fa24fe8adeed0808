import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/people/phone-checks.ts';
import { hostnameOf } from '#contract/platform/hosts.ts';
import type { Context } from '#server/platform/context.ts';
import { registerCalls } from '#server/platform/http/api.ts';
import { modified } from '#server/platform/http/serve.ts';
import * as actions from './actions.ts';
import * as store from './store.ts';

export type PhoneChecksOptions = Context & Omit<actions.PhoneCheckDependencies, 'host'>;

/** Sellers' telephone numbers, confirmed by a code. */
export async function phoneChecksPlugin(app: FastifyInstance, options: PhoneChecksOptions): Promise<void> {
  const { api, work, origin } = options;
  const dependencies = { ...options, host: hostnameOf(origin) };

  await registerCalls(app, api, (serve) => {
    serve(contract.readOwnPhone, ({ caller }) => actions.readOwnPhone(dependencies, caller));

    serve.idempotent(contract.askPhoneCode, ({ caller, body, request }, transact) =>
      transact(async (transaction) => ({
        acknowledged: true,
        insertedId: await actions.askPhoneCode(transaction, dependencies, caller, {
          phone: body.phone,
          address: request.ip,
        }),
      })),
    );

    serve(contract.confirmPhone, async ({ caller, body }) =>
      modified(await actions.confirmWithCode(dependencies, caller, body.code)),
    );

    serve(contract.removePhone, async ({ caller }) => ({
      acknowledged: true,
      deletedCount: (await actions.removeOwnPhone(dependencies, caller)) ? 1 : 0,
    }));
  });

  work.handle(actions.sendPhoneCode, (data) =>
    actions.sendCode(dependencies, data, (reason) =>
      app.log.warn({ reason }, 'a code for a phone number may not have been sent'),
    ),
  );
  work.sweep('old codes for phone numbers could not be removed', () => store.removeOld(options.database));
}
