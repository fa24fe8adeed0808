import codeFont from '@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2?url';
import { href, Link } from 'react-router';
import { type ListedContent, listPosts } from '#contract/operations/content.ts';
import { deferHydration } from '../../deferred-hydration.tsx';
import { ShopDay } from '../../formats/date-time.tsx';
import { OnThisPage } from '../../layout/on-this-page.tsx';
import { publicMeta, siteOf } from '../../metadata/page-meta.ts';
import { serverContext } from '../../server-context.ts';
import { StaticHtml } from '../../static-html.tsx';
import type { Route } from './+types/page.ts';
import { articles } from './articles.server.ts';
import styles from './blog.css?url';
import { published, questions } from './questions.ts';

export const links: Route.LinksFunction = () => [
  { rel: 'preload', as: 'font', type: 'font/woff2', href: codeFont, crossOrigin: 'anonymous' },
  { rel: 'stylesheet', href: styles },
];

export const handle = deferHydration;

export async function loader({ context }: Route.LoaderArgs) {
  const { client, report, staticHtml } = context.get(serverContext);
  staticHtml?.set('articles', articles);
  const posts = await client.call(listPosts, {}).catch((error: unknown) => {
    report(error);
    return [];
  });
  return { posts, articles: staticHtml === null ? articles : null };
}

export const meta: Route.MetaFunction = ({ matches }) => {
  const site = siteOf(matches);
  const { origin, shop } = site;
  const address = `${origin}${href('/blog')}`;
  const author = { '@type': 'Organization', name: shop.name, url: `${origin}/` };
  return [
    ...publicMeta({
      title: 'Blog',
      description:
        'Four questions about the code behind a shop: state in React, prototypal inheritance, unit tests, and Angular, React and Vue compared.',
      path: href('/blog'),
      site,
    }),
    {
      'script:ld+json': {
        '@context': 'https://schema.org',
        '@type': 'Blog',
        name: `The blog of ${shop.name}`,
        url: address,
        blogPost: Object.values(questions).map(({ id, question, summary }) => ({
          '@type': 'BlogPosting',
          headline: question,
          description: summary,
          url: `${address}#${id}`,
          datePublished: published,
          inLanguage: 'en',
          author,
        })),
      },
    },
  ];
};

/** The posts that were written in the shop, newest first; nothing without any. */
function Posts({ posts }: { posts: readonly ListedContent[] }) {
  if (posts.length === 0) return null;
  return (
    <section aria-labelledby="posts" className="max-w-[44rem] lg:col-span-2">
      <h2 id="posts" className="text-3xl sm:text-4xl">
        From the shop
      </h2>
      <ul className="mt-5 divide-y divide-border border-border border-y">
        {posts.map(({ slug, title, description, publishedAt }) => (
          <li key={slug} className="py-4">
            <h3 className="text-xl">
              <Link to={href('/blog/:slug', { slug })} className="wrap-anywhere hover:underline">
                {title}
              </Link>
            </h3>
            <p className="mt-1 text-muted wrap-anywhere">{description}</p>
            <p className="mt-1 text-muted text-sm">
              <ShopDay date={publishedAt.slice(0, 10)} />
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

export default function BlogPage({ loaderData }: Route.ComponentProps) {
  return (
    <div className="page-width grid gap-x-16 gap-y-10 pt-10 sm:pt-14 lg:grid-cols-[minmax(0,1fr)_15rem]">
      <header className="lg:col-span-2">
        <h1 className="max-w-3xl text-4xl sm:text-5xl">Questions about our code</h1>
        <p className="mt-4 max-w-prose text-lg text-muted">
          We write the software of this shop ourselves. Here are answers to four questions that come up in
          that work, with code that our tests run.
        </p>
        <p className="mt-3 text-muted text-sm">
          <time dateTime={published}>November 20, 2026</time>
        </p>
      </header>
      <Posts posts={loaderData.posts} />
      <div
        className={`lg:col-start-2 ${loaderData.posts.length === 0 ? 'lg:row-start-2' : 'lg:row-start-3'}`}
      >
        <OnThisPage links={Object.values(questions).map(({ id, question }) => [id, question] as const)} />
      </div>
      <StaticHtml id="articles" html={loaderData.articles} className="articles min-w-0" />
    </div>
  );
}
