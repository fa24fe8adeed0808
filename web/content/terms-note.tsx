import { href, useRouteLoaderData } from 'react-router';
import type { loader } from '../root.tsx';
import { TextLink } from '../ui/text-link.tsx';

/** What a person agrees to, with links to the pages `terms` and `privacy`; nothing while neither is published. */
export function TermsNote({ by }: { /** What the person does, as a gerund. */ by: string }) {
  const pages = useRouteLoaderData<typeof loader>('root')?.pages ?? [];
  const linkTo = (slug: string) => {
    const page = pages.find((each) => each.slug === slug);
    return (
      page && (
        <TextLink to={href('/pages/:slug', { slug })} target="_blank">
          {page.title}
        </TextLink>
      )
    );
  };
  const [terms, privacy] = [linkTo('terms'), linkTo('privacy')];
  if (terms === undefined && privacy === undefined) return null;
  return (
    <p className="text-muted text-sm">
      {terms !== undefined && (
        <>
          By {by} you agree to the {terms}.{' '}
        </>
      )}
      {privacy !== undefined && <>What is stored about you is under {privacy}.</>}
    </p>
  );
}
