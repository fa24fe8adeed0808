import { useEffect } from 'react';
import { isRouteErrorResponse, useLocation, useNavigate, useRouteError } from 'react-router';
import { useShopIfKnown } from '../session/session.tsx';
import { Button } from '../ui/button.tsx';
import { useOnline } from '../ui/online-status.tsx';
import { moveFocusTo } from '../ui/route-announcer.tsx';

const titles: Readonly<Record<number, string>> = { 429: 'Too many requests', 503: 'The shop is busy' };

/**
 * The title and the sentence of a refused page. Both the server's limits and the loaders answer with the sentence; the HTML of a
 * proxy is none.
 * @returns null for other errors
 */
function refusalOf(error: unknown): { title: string; message: string } | null {
  if (!isRouteErrorResponse(error)) return null;
  const title = titles[error.status];
  const message: unknown = error.data;
  return title !== undefined && typeof message === 'string' && /^[^<]{1,300}$/.test(message)
    ? { title, message }
    : null;
}

/**
 * The content of a page whose data could not be loaded, or whose components have failed.
 * @param props.onRetry called before the page is loaded again
 */
export function PageError({ onRetry }: { onRetry?: () => void }) {
  const online = useOnline();
  const shop = useShopIfKnown();
  const error = useRouteError();
  const location = useLocation();
  const navigate = useNavigate();
  const { title, message } = online
    ? (refusalOf(error) ?? {
        title: 'Something went wrong on our side',
        message: 'Please try again in a moment.',
      })
    : { title: 'You are offline', message: 'Please try that again once you are back.' };

  useEffect(() => {
    // It has replaced the page, and the page replaces it after "Try again", each with the focused element.
    moveFocusTo('');
    return () => {
      if (document.activeElement === document.body) moveFocusTo('');
    };
  }, []);

  return (
    <div className="page-width flex flex-col items-start gap-5 py-16">
      <title>{shop === null ? title : `${title} · ${shop.name}`}</title>
      <h1 className="text-4xl sm:text-5xl">{title}</h1>
      <p>{message}</p>
      <Button
        onClick={() => {
          onRetry?.();
          // Reads what is missing, and renders the page anew.
          void navigate(location, { replace: true });
        }}
      >
        Try again
      </Button>
    </div>
  );
}
