import codeFont from '@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2?url';
import { href } from 'react-router';
import { deferHydration } from '../../deferred-hydration.tsx';
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

export function loader({ context }: Route.LoaderArgs) {
  const { staticHtml } = context.get(serverContext);
  staticHtml?.set('articles', articles);
  return { articles: staticHtml === null ? articles : null };
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

function Contents() {
  return (
    <nav aria-labelledby="contents" className="lg:sticky lg:top-24 lg:self-start">
      <h2 id="contents" className="font-sans font-semibold text-base tracking-normal">
        On this page
      </h2>
      <ol className="mt-3 flex flex-col gap-1">
        {Object.values(questions).map(({ id, question }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              className="inline-block py-1 text-link leading-snug underline-offset-4 hover:underline"
            >
              {question}
            </a>
          </li>
        ))}
      </ol>
    </nav>
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
      <div className="lg:col-start-2 lg:row-start-2">
        <Contents />
      </div>
      <StaticHtml id="articles" html={loaderData.articles} className="articles min-w-0" />
    </div>
  );
}
