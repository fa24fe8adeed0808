import type { FastifyReply, FastifyRequest } from 'fastify';
import * as contract from '#contract/catalogue.ts';
import type { Slice, Sliced } from '../database/slice.ts';
import { demandOwn } from '../http/own.ts';
import { linkNext, sliceOf } from '../http/paging.ts';
import { Bytes, type Caller, type Serve } from '../http/serve.ts';
import * as actions from './actions.ts';
import type { Answers, Kept } from './answers.ts';
import { keptAnswer, type ListedLaptop, laptopOnTheWire, ownLaptopOnTheWire, shownPhoto } from './rules.ts';
import * as store from './store.ts';

/** Answers kept bytes: 304 when the visitor has them already. */
function sendKept(kept: Kept, caller: Caller | null, request: FastifyRequest, reply: FastifyReply): Bytes {
  linkNext(request, reply, kept.next);
  reply.header('etag', kept.etag).header('vary', 'authorization');
  // Who is signed in sees contacts, which no shared cache may keep.
  reply.header('cache-control', caller === null ? 'public, no-cache' : 'private, no-cache');
  if (request.headers['if-none-match'] === kept.etag) {
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

  /** A public list of laptops, from memory while nothing has changed. */
  function keptList(
    key: string,
    wanted: Slice,
    caller: Caller | null,
    read: () => Promise<Sliced<ListedLaptop>>,
  ): Promise<Kept> {
    const contact = caller !== null;
    return answers.get(`${key} ${wanted.limit} ${wanted.before ?? ''} ${contact}`, async () => {
      const { rows, next } = await read();
      return keptAnswer(
        rows.map((row) => laptopOnTheWire(row, photos.origin, contact)),
        next,
      );
    });
  }

  serve(contract.listBrands, async ({ caller, request, reply }) => {
    const kept = await answers.get('brands', async () => {
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
    return sendKept(kept, caller, request, reply);
  });

  serve(contract.listCategory, async ({ caller, params, query, request, reply }) => {
    const wanted = sliceOf(query);
    const kept = await keptList(`category ${params.id}`, wanted, caller, async () => {
      const found = await store.shelf(database, params.id, wanted);
      if (found.rows.length === 0) await actions.demandBrand(database, params.id);
      return found;
    });
    return sendKept(kept, caller, request, reply);
  });

  serve(contract.listAdvertisements, async ({ caller, query, request, reply }) => {
    const wanted = sliceOf(query);
    const kept = await keptList('advertisement', wanted, caller, () => store.advertised(database, wanted));
    return sendKept(kept, caller, request, reply);
  });

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
