import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as contract from '#contract/listings/catalogue.ts';
import { listSitemaps, MAXIMUM_SITEMAP_URLS, readSitemap } from '#contract/listings/sitemaps.ts';
import type { Endpoint } from '#contract/platform/endpoint.ts';
import { requirePhone } from '#server/people/phone-numbers.ts';
import type { Context } from '#server/platform/context.ts';
import type { Page, PageRequest } from '#server/platform/database/keyset-page.ts';
import type { Notifications } from '#server/platform/database/notification-listener.ts';
import { registerCalls } from '#server/platform/http/api.ts';
import { declareCacheDependencies } from '#server/platform/http/cache-dependencies.ts';
import {
  type CachedResponse,
  toCachedJson,
  toCachedResponse,
} from '#server/platform/http/cached-response.ts';
import { requireOwnEmail } from '#server/platform/http/guard.ts';
import { nextLink, pageRequest, sendPage, serializePage } from '#server/platform/http/paging.ts';
import type { Created, ResponseCache } from '#server/platform/http/response-cache.ts';
import { prepareBytes } from '#server/platform/http/send-cached.ts';
import { type Call, type Caller, SerializedJson, type Serve } from '#server/platform/http/serve.ts';
import type { CatalogueDependencies } from './actions.ts';
import * as actions from './actions.ts';
import { changeLaptop } from './change-laptop.ts';
import {
  ADVERTISED_TAG,
  brandTag,
  CATALOGUE_CHANNEL,
  laptopDependencies,
  laptopTag,
  sellersOf,
  sellerTag,
  unchanging,
} from './change-tags.ts';
import { type ContactLimit, createContactLimit, type HiddenContacts } from './contact-limit.ts';
import * as listStore from './list-store.ts';
import { listForSale, requireStoredPhotos } from './listing.ts';
import {
  brandImage,
  type LaptopWithSeller,
  laptopDetailsResponse,
  laptopResponse,
  ownLaptopResponse,
  staleFrom,
  viewerStatusResponse,
  withHiddenContact,
} from './rules.ts';
import { sellAgain } from './sell-again.ts';
import * as store from './store.ts';
import { readStoredFacts } from './stored-facts.ts';

/** The laptops on a page of a sitemap. Their JSON is smaller than the largest page. */
const SITEMAP_PAGE_ROWS = 1_000;

/** The parsed input that a cached response depends on. */
type CacheKey =
  | { list: 'brands' }
  | { list: 'category'; brand: string; page: PageRequest }
  | { list: 'advertised'; page: PageRequest };

/** The parts of a public call that are known before its caller is authenticated. */
type PublicCall = Pick<Call<Endpoint>, 'params' | 'query' | 'request' | 'reply'>;

function toCacheKey(key: CacheKey, withContact: boolean): string {
  const { limit, after } = key.list === 'brands' ? { limit: 0, after: null } : key.page;
  return [key.list, withContact, limit, after, key.list === 'category' ? key.brand : ''].join(' ');
}

/** The lists of a seller's own laptops. */
const ownLists = {
  all: 'ofSeller',
  unsold: 'unsoldOfSeller',
  sold: 'soldOfSeller',
  withdrawn: 'withdrawnOfSeller',
} as const;

/** Routes for brands and laptops. */
function catalogueRoutes(serve: Serve, dependencies: CatalogueOptions, contactLimit: ContactLimit): void {
  const { database, origin, cache } = dependencies;

  /** The headers that a response is kept with. */
  const headersOf = (withContact: boolean) => ({
    vary: 'authorization, accept-encoding',
    // Responses to signed-in users contain contacts, which no shared cache may store.
    'cache-control': withContact ? 'private, no-cache' : 'public, no-cache',
  });

  /** Sends a cached response, or 304 when the client has it. */
  const sendCached = ({ request, reply }: PublicCall, key: string, cached: CachedResponse): SerializedJson =>
    new SerializedJson(
      prepareBytes(request, reply, cached, (encoding) => cache.encode(key, cached, encoding)),
    );

  /** Sends a cached response to a visitor; null when there is none. Most requests are answered here. */
  function sendIfCached(call: PublicCall, cacheKey: CacheKey): SerializedJson | null {
    const key = toCacheKey(cacheKey, false);
    const cached = cache.get(key);
    if (cached === undefined) return null;
    declareCacheDependencies(cached.dependencies);
    return sendCached(call, key, cached.response);
  }

  /** Sends a response from the cache, or the one that `create` makes. */
  async function send(
    call: PublicCall & { caller: Caller | null },
    cacheKey: CacheKey,
    create: (withContact: boolean, hidden: HiddenContacts | null) => Promise<Created>,
  ): Promise<SerializedJson> {
    const { caller, request } = call;
    const withContact = caller !== null;
    const key = toCacheKey(cacheKey, withContact);
    const created = await cache.getOrCreate(key, () => create(withContact, null));
    if (created.dependencies !== null) declareCacheDependencies(created.dependencies);
    const hidden =
      caller &&
      (await countContacts(
        caller,
        request,
        created.dependencies === null ? [] : sellersOf(created.dependencies),
      ));
    // Different for each reader, so it is not cached.
    const { response } = hidden === null ? created : await create(withContact, hidden);
    return sendCached(call, key, response);
  }

  /** Counts the sellers whose contacts a person is about to see. */
  const countContacts = ({ userId }: Caller, { ip }: FastifyRequest, sellerIds: readonly string[]) =>
    contactLimit.count({ userId, address: ip }, sellerIds);

  function createdPage(
    call: PublicCall,
    page: Page<LaptopWithSeller>,
    membership: string,
    withContact: boolean,
    hidden: HiddenContacts | null,
  ): Created {
    const { json, next } = serializePage(page, (row) =>
      hidden?.isHidden(row.seller_id) === true
        ? withHiddenContact(laptopResponse(row, origin, false), hidden.until)
        : laptopResponse(row, origin, withContact),
    );
    return {
      response: toCachedResponse(json, {
        ...headersOf(withContact),
        ...(next !== null && { link: nextLink(call, next) }),
      }),
      dependencies: laptopDependencies(
        page.rows.map(({ id, seller_id }) => ({ _id: id, seller_id })),
        [membership],
      ),
    };
  }

  serve(
    contract.listBrands,
    (call) =>
      send(call, { list: 'brands' }, async (withContact) => {
        const rows = await store.brands(database);
        const response = toCachedJson(
          rows.map((row) => ({
            _id: row.id,
            category_Id: row.category_id,
            image: brandImage(row, origin),
          })),
          headersOf(withContact),
        );
        // A change of the brands removes everything.
        return { response, dependencies: unchanging };
      }),
    (call) => sendIfCached(call, { list: 'brands' }),
  );

  serve(
    contract.listCategory,
    (call) => {
      const key = { list: 'category', brand: call.params.id, page: pageRequest(call.query) } as const;
      return send(call, key, async (withContact, hidden) => {
        const { name, page } = await actions.readOfBrand(database, key.brand, key.page);
        return createdPage(call, page, brandTag(name), withContact, hidden);
      });
    },
    (call) => sendIfCached(call, { list: 'category', brand: call.params.id, page: pageRequest(call.query) }),
  );

  serve(contract.readBrand, async ({ params }) => {
    // A change of the brands removes everything.
    declareCacheDependencies(unchanging);
    const { name, isHidden } = await actions.requireBrand(database, params.id);
    return { category_Id: name, hidden: isHidden };
  });

  serve(
    contract.listAdvertisements,
    (call) => {
      const key = { list: 'advertised', page: pageRequest(call.query) } as const;
      return send(call, key, async (withContact, hidden) =>
        createdPage(
          call,
          await listStore.readList(database, 'advertised', [], key.page),
          ADVERTISED_TAG,
          withContact,
          hidden,
        ),
      );
    },
    (call) => sendIfCached(call, { list: 'advertised', page: pageRequest(call.query) }),
  );

  serve(contract.readLaptop, async ({ caller, params, request }) => {
    const laptop = await actions.readForPage(database, params._id, new Date());
    declareCacheDependencies({
      tags: [laptopTag(laptop.id), sellerTag(laptop.seller_id)],
      until: staleFrom(laptop),
    });
    const hidden = caller && (await countContacts(caller, request, [laptop.seller_id]));
    if (hidden === null) return laptopDetailsResponse(laptop, origin, caller !== null);
    return withHiddenContact(laptopDetailsResponse(laptop, origin, false), hidden.until);
  });

  serve(contract.readViewerStatus, async ({ caller, params, request }) => {
    const laptop = await actions.readForPage(database, params._id, new Date());
    const [done, hidden] = await Promise.all([
      store.findViewerStatus(database, caller.userId, laptop.id),
      countContacts(caller, request, [laptop.seller_id]),
    ]);
    return viewerStatusResponse(laptop, caller, done, hidden?.until ?? null);
  });

  serve(listSitemaps, () => listStore.sitemapNumbers(database, MAXIMUM_SITEMAP_URLS));

  serve(readSitemap, async (call) => {
    const request = pageRequest({ ...call.query, limit: SITEMAP_PAGE_ROWS });
    const last = call.params.number * MAXIMUM_SITEMAP_URLS;
    const page = await listStore.sitemapPage(database, last - MAXIMUM_SITEMAP_URLS, last, request);
    return sendPage(call, page, ({ id, name, changed_at }) => ({
      _id: id,
      name,
      changed: changed_at.toISOString().slice(0, 10),
    }));
  });

  serve(contract.listOwnLaptops, async (call) => {
    requireOwnEmail(call.caller, call.query.email);
    const { caller, query } = call;
    const list = ownLists[query.list ?? 'all'];
    const page = await listStore.readList(database, list, [caller.userId], pageRequest(query));
    return sendPage(call, page, (row) => ownLaptopResponse(row, origin));
  });

  serve.idempotent(contract.listLaptop, async ({ caller, body }, transact) => {
    const laptop = { ...body, mobile_number: requirePhone(body, 'mobile_number', dependencies) };
    const images = await requireStoredPhotos(dependencies, body);
    const response = await transact(async (transaction) => ({
      acknowledged: true,
      insertedId: await listForSale(transaction, dependencies, caller, laptop, images),
    }));
    await cache.waitForInvalidation();
    return response;
  });

  serve.idempotent(contract.changeLaptop, async ({ caller, params: { _id: id }, body }, transact) => {
    const change = { ...body, mobile_number: requirePhone(body, 'mobile_number', dependencies) };
    const images = await requireStoredPhotos(dependencies, change);
    const request = { laptopId: id, sellerId: caller.userId, version: body.version };
    for (const react of dependencies.laptopEvents.changeRequested) await react(request);
    const response = await transact(async (transaction) => {
      await changeLaptop(transaction, dependencies, caller, { id, change, images });
      return { acknowledged: true, modifiedCount: 1 };
    });
    await cache.waitForInvalidation();
    return response;
  });

  serve(contract.relistLaptop, async ({ caller, params, body }) => ({
    acknowledged: true,
    modifiedCount: await sellAgain(dependencies, caller, { id: params._id, postedTime: body.posted_time }),
  }));

  serve(contract.deleteOwnLaptop, async ({ caller, params }) => ({
    acknowledged: true,
    deletedCount: await actions.withdraw(dependencies, caller, params._id),
  }));

  serve(contract.advertiseLaptop, async ({ caller, params }) => ({
    acknowledged: true,
    modifiedCount: await actions.advertise(dependencies, caller, params._id),
  }));
}

const FACTS_INTERVAL_MS = 10_000;

export interface CatalogueOptions extends Context, CatalogueDependencies {
  cache: ResponseCache;
  notifications: Notifications;
}

/** Brands, laptops and advertisements: routes, invalidation of the response cache. */
export async function cataloguePlugin(app: FastifyInstance, options: CatalogueOptions): Promise<void> {
  const { api, work, database, cache, notifications } = options;
  await registerCalls(app, api, (serve) => catalogueRoutes(serve, options, createContactLimit(api.limiter)));

  const unsubscribe = notifications.subscribe(CATALOGUE_CHANNEL, {
    onConnect: () => cache.enable(notifications.received),
    onNotification: (text) => cache.forgetNotified([text]),
    onDisconnect: cache.disable,
  });
  app.addHook('onClose', async () => unsubscribe());

  work.every(FACTS_INTERVAL_MS, 'facts of stored laptops could not be read', async (signal) => {
    const laptops = await readStoredFacts(database, signal);
    if (laptops > 0) app.log.info({ laptops }, 'read the facts of stored laptops');
  });
}
