import { href, Link } from 'react-router';
import { listPosts, readPost } from '#contract/operations/content.ts';
import styles from '../../content/content.css?url';
import { deferHydration } from '../../deferred-hydration.tsx';
import { ShopDay } from '../../formats/date-time.tsx';
import { OnThisPage } from '../../layout/on-this-page.tsx';
import { publicMeta, siteOf } from '../../metadata/page-meta.ts';
import { isMissing } from '../../requests/missing.ts';
import { serverContext } from '../../server-context.ts';
import type { Route } from './+types/page.ts';

export const links: Route.LinksFunction = () => [{ rel: 'stylesheet', href: styles }];

export const handle = deferHydration;

/** How many posts the blog has in full: the newest. It lists the others. */
const IN_FULL = 5;

/** Lowers the headings of a post's text by one level: its title is an `h2` on the blog. Text has no tags. */
const lowerHeadings = (html: string) =>
  html.replace(/(<\/?h)([2-5])>/g, (_, open: string, level: string) => `${open}${Number(level) + 1}>`);

export async function loader({ context }: Route.LoaderArgs) {
  const { client } = context.get(serverContext);
  const posts = await client.call(listPosts, {});
  const newest = await Promise.all(
    posts.slice(0, IN_FULL).map(async ({ slug }) => {
      const read = await client.call(readPost, { params: { slug } }).catch((error: unknown) => {
        // Withdrawn meanwhile.
        if (isMissing(error)) return null;
        throw error;
      });
      return read && { ...read, html: lowerHeadings(read.html) };
    }),
  );
  return { newest: newest.filter((post) => post !== null), older: posts.slice(IN_FULL) };
}

export const meta: Route.MetaFunction = ({ matches }) => {
  const site = siteOf(matches);
  return publicMeta({
    title: 'Blog',
    description: `Articles and news from ${site.shop.name}, a marketplace for used laptops.`,
    path: href('/blog'),
    site,
  });
};

export default function BlogPage({ loaderData: { newest, older } }: Route.ComponentProps) {
  return (
    <div className="page-width grid gap-x-16 gap-y-10 pt-10 sm:pt-14 lg:grid-cols-[minmax(0,1fr)_15rem]">
      <header className="lg:col-span-2">
        <h1 className="text-4xl sm:text-5xl">Blog</h1>
        {newest.length === 0 && <p className="mt-4 text-lg text-muted">There are no articles yet.</p>}
      </header>
      {newest.length > 1 && (
        <div className="lg:col-start-2 lg:row-start-2">
          <OnThisPage links={newest.map(({ slug, title }) => [slug, title] as const)} />
        </div>
      )}
      <div className="flex min-w-0 flex-col gap-14">
        {newest.map(({ slug, title, publishedAt, html }) => (
          <article key={slug} id={slug} aria-labelledby={`title-${slug}`}>
            <h2 id={`title-${slug}`} className="text-3xl sm:text-4xl">
              <Link to={href('/blog/:slug', { slug })} className="hover:underline">
                {title}
              </Link>
            </h2>
            <p className="mt-2 text-muted text-sm">
              <ShopDay date={publishedAt.slice(0, 10)} />
            </p>
            {/* biome-ignore lint/security/noDangerouslySetInnerHtml: rendered by the server, which escapes tags */}
            <div dangerouslySetInnerHTML={{ __html: html }} className="content mt-5" />
          </article>
        ))}
        {older.length > 0 && (
          <section aria-labelledby="older">
            <h2 id="older" className="text-3xl">
              Older articles
            </h2>
            <ul className="mt-5 divide-y divide-border border-border border-y">
              {older.map(({ slug, title, description }) => (
                <li key={slug} className="py-4">
                  <Link
                    to={href('/blog/:slug', { slug })}
                    className="font-semibold wrap-anywhere hover:underline"
                  >
                    {title}
                  </Link>
                  <p className="mt-1 text-muted wrap-anywhere">{description}</p>
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </div>
  );
}
