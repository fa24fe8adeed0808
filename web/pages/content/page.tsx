import { data, href } from 'react-router';
import { readPage, readPost } from '#contract/operations/content.ts';
import styles from '../../content/content.css?url';
import { deferHydration } from '../../deferred-hydration.tsx';
import { ShopDay } from '../../formats/date-time.tsx';
import { NotFound } from '../../layout/not-found.tsx';
import { privateMeta, publicMeta, siteOf } from '../../metadata/page-meta.ts';
import { isMissing } from '../../requests/missing.ts';
import { serverContext } from '../../server-context.ts';
import type { Route } from './+types/page.ts';

export const links: Route.LinksFunction = () => [{ rel: 'stylesheet', href: styles }];

export const handle = deferHydration;

/** Loads a published page, or a post of the blog. */
export async function loader({ context, url, params: { slug } }: Route.LoaderArgs) {
  const { client } = context.get(serverContext);
  const isPost = url.pathname.startsWith('/blog/');
  try {
    const page = await client.call(isPost ? readPost : readPage, { params: { slug } });
    return data({ page: { ...page, isPost } });
  } catch (error) {
    if (!isMissing(error)) throw error;
    return data({ page: null }, { status: 404 });
  }
}

export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  const page = loaderData?.page;
  if (page === undefined || page === null) return privateMeta('Not found')({ matches });
  const { slug, title, description, isPost } = page;
  return publicMeta({
    title,
    description,
    path: isPost ? href('/blog/:slug', { slug }) : href('/pages/:slug', { slug }),
    site: siteOf(matches),
  });
};

export default function ContentPage({ loaderData: { page } }: Route.ComponentProps) {
  if (page === null) return <NotFound />;
  return (
    <article className="page-width pt-10 sm:pt-14">
      <h1 className="max-w-3xl text-4xl sm:text-5xl">{page.title}</h1>
      <p className="mt-3 text-muted text-sm">
        {page.isPost ? '' : 'Last changed '}
        <ShopDay date={(page.isPost ? page.publishedAt : page.changedAt).slice(0, 10)} />
      </p>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: rendered by the server, which escapes tags */}
      <div dangerouslySetInnerHTML={{ __html: page.html }} className="content mt-8" />
    </article>
  );
}
