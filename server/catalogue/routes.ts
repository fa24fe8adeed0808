import type { FastifyReply, FastifyRequest } from 'fastify';
import * as contract from '#contract/catalogue.ts';
import type { Sliced } from '../database/slice.ts';
import { isCurrent } from '../http/etag.ts';
import { demandOwn } from '../http/own.ts';
import { linkNext, sliceOf } from '../http/paging.ts';
import { Bytes, type Call, type Early, type Serve } from '../http/serve.ts';
import * as actions from './actions.ts';
import type { Answers, Kept } from './answers.ts';
import { keptAnswer, type ListedLaptop, laptopOnTheWire, ownLaptopOnTheWire, shownPhoto } from './rules.ts';
import * as store from './store.ts';

/** Answers kept bytes: 304 when the visitor has them already. */
function sendKept(kept: Kept, contact: boolean, request: FastifyRequest, reply: FastifyReply): Bytes {
  linkNext(request, reply, kept.next);
  reply.header('etag', kept.etag).header('vary', 'authorization');
  // Who is signed in sees contacts, which no shared cache may keep.
  reply.header('cache-control', contact ? 'private, no-cache' : 'public, no-cache');
  if (isCurrent(request.headers['if-none-match'], kept.etag)) {
    reply.code(304);
    return new Bytes(Buffer.alloc(0));
  }
  return new Bytes(kept.json);
}

/** The calls about brands and laptops. */
export function catalogueRoutes(
  serve: Serve,
  { answers, ...dependencies }: actions.CatalogueDependencies & { answers: Answers },
): void {
  const { database, photos } = dependencies;

  /** By its address, because everything that a public answer depends on stands there, but for who is signed in. */
  const keyOf = (request: FastifyRequest, contact: boolean) =>
    contact ? `signed in ${request.originalUrl}` : request.originalUrl;

  /** What a visitor gets without the address being read again: most calls that a shop ever answers end here. */
  const early: Early = (request, reply) => {
    const kept = answers.known(keyOf(request, false));
    return kept === undefined ? null : sendKept(kept, false, request, reply);
  };

  /** A public list of laptops, from memory while nothing has changed. */
  async function sendList(
    {
      caller,
      request,
      reply,
    }: Pick<Call<typeof contract.listAdvertisements>, 'caller' | 'request' | 'reply'>,
    read: () => Promise<Sliced<ListedLaptop>>,
  ): Promise<Bytes> {
    const contact = caller !== null;
    const kept = await answers.get(keyOf(request, contact), async () => {
      const { rows, next } = await read();
      return keptAnswer(
        rows.map((row) => laptopOnTheWire(row, photos.origin, contact)),
        next,
      );
    });
    return sendKept(kept, contact, request, reply);
  }

  serve(
    contract.listBrands,
    async ({ caller, request, reply }) => {
      const contact = caller !== null;
      const kept = await answers.get(keyOf(request, contact), async () => {
        const rows = await store.brands(database);
        return keptAnswer(
          rows.map((row) => ({
            _id: row.id,
            category_Id: row.category_id,
            image: shownPhoto(row.image, photos.origin),
          })),
          null,
        );
      });
      return sendKept(kept, contact, request, reply);
    },
    early,
  );

  serve(
    contract.listCategory,
    (call) =>
      sendList(call, async () => {
        const found = await store.shelf(database, call.params.id, sliceOf(call.query));
        if (found.rows.length === 0) await actions.demandBrand(database, call.params.id);
        return found;
      }),
    early,
  );

  serve(
    contract.listAdvertisements,
    (call) => sendList(call, () => store.advertised(database, sliceOf(call.query))),
    early,
  );

  serve(contract.listLaptop, async ({ caller, body }) => ({
    acknowledged: true,
    insertedId: await actions.listForSale(dependencies, caller, body),
  }));

  serve(contract.listOwnLaptops, async ({ caller, query, request, reply }) => {
    demandOwn(caller, query.email);
    const { rows, next } = await store.ofSeller(database, caller.userId, sliceOf(query));
    linkNext(request, reply, next);
    return rows.map((row) => ownLaptopOnTheWire(row, photos.origin));
  });

  serve(contract.deleteOwnLaptop, async ({ caller, params }) => {
    await actions.withdraw(dependencies, caller, params._id);
    return { acknowledged: true, deletedCount: 1 };
  });

  serve(contract.advertiseLaptop, async ({ caller, params }) => ({
    acknowledged: true,
    modifiedCount: await actions.advertise(dependencies, caller, params._id),
  }));
}
