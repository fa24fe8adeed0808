import { lazy, type MouseEvent, Suspense } from 'react';
import { ReportIcon } from '../../laptops/report-button.tsx';
import { useSession } from '../../session/session.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { toast } from '../../ui/toast.tsx';
import { loadSignedIn } from './load-signed-in.tsx';
import type { ShownLaptop } from './shown-laptop.ts';

const SignedInReport = lazy(async () => ({ default: (await loadSignedIn()).ReportAction }));

/**
 * Shares the page's address: by the system's dialog, or by copying it. Without scripts it is a link that writes an email.
 * @param props.url absolute
 */
export function ShareLink({ name, url }: { name: string; url: string }) {
  async function share(event: MouseEvent<HTMLAnchorElement>) {
    const link = event.currentTarget.href;
    event.preventDefault();
    try {
      if (typeof navigator.share === 'function') {
        await navigator.share({ title: name, url });
      } else {
        await navigator.clipboard.writeText(url);
        toast.success('The link is copied.');
      }
    } catch (error) {
      // The person closed the system's dialog.
      if (error instanceof DOMException && error.name === 'AbortError') return;
      location.assign(link);
    }
  }
  return (
    <LinkButton
      to={`mailto:?subject=${encodeURIComponent(name)}&body=${encodeURIComponent(url)}`}
      onClick={(event) => void share(event)}
      variant="quiet"
      size="small"
      className="-ml-3.5 self-start"
    >
      <Icon name="share" className="size-4 shrink-0" />
      Share
    </LinkButton>
  );
}

function VisitorReport({ name }: { name: string }) {
  return (
    <LinkButton to="?report=yes" rel="nofollow" preventScrollReset variant="quiet" size="small">
      <ReportIcon />
      Report this item
      <span className="sr-only">: {name}</span>
    </LinkButton>
  );
}

/** Reports the laptop; the last and quietest part of its page. */
export function Report({ laptop }: { laptop: ShownLaptop }) {
  const session = useSession();
  const visitor = <VisitorReport name={laptop.name} />;
  return (
    <div className="mt-6 -ml-3.5">
      {session.status === 'signed-in' ? (
        <Suspense fallback={visitor}>
          <SignedInReport laptop={laptop} />
        </Suspense>
      ) : (
        visitor
      )}
    </div>
  );
}
