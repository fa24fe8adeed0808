import { useLocation, useNavigate } from 'react-router';
import { Button } from '../ui/button.tsx';
import { useOnline } from '../ui/online-status.tsx';

/**
 * The content of a page whose data could not be loaded, or whose components have failed.
 * @param props.onRetry called before the page is loaded again
 */
export function PageError({ onRetry }: { onRetry?: () => void }) {
  const online = useOnline();
  const location = useLocation();
  const navigate = useNavigate();
  const title = online ? 'Something went wrong on our side' : 'You are offline';
  return (
    <div className="page-width flex flex-col items-start gap-5 py-16">
      <title>{`${title} · Coomercio`}</title>
      <h1 className="text-4xl sm:text-5xl">{title}</h1>
      <p>{online ? 'Please try again in a moment.' : 'Please try that again once you are back.'}</p>
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
