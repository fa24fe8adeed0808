import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/listings/brands.ts';
import type { Context } from '#server/platform/context.ts';
import { registerCalls } from '#server/platform/http/api.ts';
import type { PhotoDependencies } from '../catalogue/steps.ts';
import * as actions from './actions.ts';
import { toResponse } from './rules.ts';
import * as store from './store.ts';

/** The brands, for the admins who edit them. The catalogue shows them. */
export async function brandsPlugin(
  app: FastifyInstance,
  options: Context & PhotoDependencies,
): Promise<void> {
  const { api, database, origin } = options;
  await registerCalls(app, api, (serve) => {
    serve(contract.listShopBrands, async () =>
      (await store.list(database)).map((row) => toResponse(row, origin)),
    );

    serve(contract.addBrand, async ({ caller, body }) => ({
      acknowledged: true,
      insertedId: await actions.add(options, caller, body),
    }));

    serve(contract.orderBrands, async ({ caller, body }) => ({
      acknowledged: true,
      modifiedCount: await actions.order(options, caller, body.ids),
    }));

    serve(contract.changeBrand, async ({ caller, params, body }) => ({
      acknowledged: true,
      modifiedCount: await actions.change(options, caller, params._id, body),
    }));

    serve(contract.mergeBrand, async ({ caller, params, body }) => ({
      acknowledged: true,
      modifiedCount: await actions.merge(options, caller, { id: params._id, into: body.into }),
    }));
  });
}
