import type { FastifyInstance } from 'fastify';
import { deadlineDays } from '#contract/money/order-states.ts';
import * as contract from '#contract/operations/content.ts';
import type { ShopSettings } from '#contract/platform/shop-settings.ts';
import type { Context } from '#server/platform/context.ts';
import { registerCalls } from '#server/platform/http/api.ts';
import { declareCacheDependencies, unchanging } from '#server/platform/http/cache-dependencies.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import * as actions from './actions.ts';
import {
  createMarkdownRenderer,
  createVersionRenderer,
  type PlaceholderValues,
  replacePlaceholders,
} from './markdown.ts';
import { toDetails, toItem, toListed } from './rules.ts';
import * as store from './store.ts';

const toValues = ({ name, legal, contact, shippingBorneBy }: ShopSettings): PlaceholderValues => ({
  shop: name,
  operator: legal.company || 'the operator of this shop',
  address: legal.address || '(no address given yet)',
  'tax-id': legal.vatNumber || '(none given)',
  'register-number': legal.registerNumber || '(none given)',
  email: contact.email || '(no email address given yet)',
  'label-payer': `the ${shippingBorneBy}`,
  'held-days': String(deadlineDays('held')),
  'complaint-days': String(deadlineDays('released')),
});

/** Pages and posts that admins write in Markdown. */
export async function contentPlugin(app: FastifyInstance, options: Context): Promise<void> {
  const { api, database, shop } = options;
  const values = () => toValues(shop());
  const render = createMarkdownRenderer(values);
  const renderVersion = createVersionRenderer(render, values);
  const withValues = <Texts extends { title: string; description: string }>(texts: Texts): Texts => ({
    ...texts,
    title: replacePlaceholders(texts.title, values()),
    description: replacePlaceholders(texts.description, values()),
  });

  async function list(kind: contract.ContentKind): Promise<contract.ListedContent[]> {
    // A publication removes everything from the cache.
    declareCacheDependencies(unchanging);
    return (await store.listPublished(database, kind)).map((row) => withValues(toListed(row)));
  }

  async function read(kind: contract.ContentKind, slug: string) {
    declareCacheDependencies(unchanging);
    const row = await store.findPublished(database, kind, slug);
    if (row === undefined) throw new Refusal('not_found', 'There is no such page.');
    return { ...withValues(toListed(row)), html: renderVersion(row) };
  }

  await registerCalls(app, api, (serve) => {
    serve(contract.listPages, () => list('page'));
    serve(contract.listPosts, () => list('post'));
    serve(contract.readPage, ({ params }) => read('page', params.slug));
    serve(contract.readPost, ({ params }) => read('post', params.slug));

    serve(contract.listContent, async () => (await store.list(database)).map(toItem));

    serve(contract.readContent, async ({ params }) =>
      toDetails(
        await actions.requireContent(database, params._id),
        await store.listVersions(database, params._id),
      ),
    );

    serve(contract.readContentVersion, async ({ params }) => {
      const texts = await store.findVersion(database, params._id, params.version);
      if (texts === undefined) throw new Refusal('not_found', 'This version is not kept any more.');
      return texts;
    });

    serve(contract.addContent, async ({ caller, body }) => ({
      acknowledged: true,
      insertedId: await actions.add(options, caller, body),
    }));

    serve(contract.saveContent, async ({ caller, params, body }) => ({
      acknowledged: true,
      ...(await actions.save(options, caller, params._id, body)),
    }));

    serve(contract.publishContent, async ({ caller, params, body }) => ({
      acknowledged: true,
      modifiedCount: await actions.publish(options, caller, params._id, body.version),
    }));

    serve(contract.withdrawContent, async ({ caller, params }) => ({
      acknowledged: true,
      modifiedCount: await actions.withdraw(options, caller, params._id),
    }));

    serve(contract.deleteContent, async ({ caller, params }) => ({
      acknowledged: true,
      deletedCount: await actions.remove(options, caller, params._id),
    }));

    serve(contract.previewContent, async ({ body }) => ({ html: render(body.body) }));
  });
}
