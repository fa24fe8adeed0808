import type { MouseEvent } from 'react';
import { useSession } from '../../session/session.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { toast } from '../../ui/toast.tsx';
import { loadSignedIn } from './load-signed-in.tsx';
import type { ShownLaptop } from './shown-laptop.ts';

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

function VisitorReport({ laptop: { name } }: { laptop: ShownLaptop }) {
  return (
    <LinkButton to="?report=yes" rel="nofollow" preventScrollReset variant="quiet" size="small">
      <Icon name="flag" className="size-4 shrink-0" />
      Report this item
      <span className="sr-only">: {name}</span>
    </LinkButton>
  );
}

const SignedInReport = lazyPart(async () => (await loadSignedIn()).ReportAction, VisitorReport);

/** Reports the laptop; the last and quietest part of its page. */
export function Report({ laptop }: { laptop: ShownLaptop }) {
  const ReportOf = useSession().status === 'signed-in' ? SignedInReport : VisitorReport;
  return (
    <div className="mt-6 -ml-3.5">
      <ReportOf laptop={laptop} />
    </div>
  );
}
