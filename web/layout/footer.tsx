import { Link, useRouteLoaderData } from 'react-router';
import type { loader } from '../root.tsx';
import { BrandMark } from './brand-mark.tsx';
import { useSellLink } from './use-sell-link.ts';

/** The footer, whose texts and links `shop-look.server.ts` makes. */
export function Footer() {
  const sellLink = useSellLink();
  const look = useRouteLoaderData<typeof loader>('root')?.look;
  return (
    <footer className="mt-16 border-border border-t bg-subtle">
      <div className="page-width grid gap-10 py-12 lg:grid-cols-[2fr_3fr]">
        <div>
          <BrandMark />
          <p className="mt-3 max-w-xs text-muted">{look?.about}</p>
        </div>
        <div className="grid gap-10 sm:grid-cols-3">
          {look?.columns.map(({ title, entries }) => (
            <div key={title}>
              <h2 className="font-sans font-semibold text-base tracking-normal">{title}</h2>
              <ul className="wrap-anywhere mt-3 flex flex-col gap-1">
                {entries.map(({ text, url, reloadDocument }) => (
                  <li key={text} className={url === '' ? 'py-1 text-muted' : ''}>
                    {url === '' ? (
                      text
                    ) : (
                      <Link
                        to={url ?? sellLink}
                        reloadDocument={reloadDocument}
                        className="inline-block py-1 text-link underline-offset-4 hover:underline"
                      >
                        {text}
                      </Link>
                    )}
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </div>
      </div>
    </footer>
  );
}
