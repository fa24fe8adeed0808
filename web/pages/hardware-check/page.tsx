import { href } from 'react-router';
import { BrandMark } from '../../layout/brand-mark.tsx';
import { tokenMeta } from '../../metadata/token-meta.ts';
import { useShop } from '../../session/session.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { useHydrated } from '../../ui/use-hydrated.ts';
import { CheckView } from './check-view.tsx';

export const meta = tokenMeta('Check this laptop');

/**
 * The tests that a person makes on the laptop itself. Outside the shop's layout: a link of the application would carry this
 * document's permission for camera and microphone to other pages.
 */
export default function CheckPage() {
  const isHydrated = useHydrated();
  return (
    <div className="flex min-h-svh flex-col">
      <header className="border-border border-b bg-surface">
        <div className="page-width flex min-h-16 items-center">
          <a href={href('/')} aria-label={`${useShop().name}, home page`}>
            <BrandMark />
          </a>
        </div>
      </header>
      <main className="page-width flex-1 py-8 sm:py-12">
        {isHydrated ? (
          <CheckView />
        ) : (
          <>
            <h1 className="text-3xl sm:text-4xl">Check this laptop</h1>
            <noscript>
              <p className="mt-4">The tests need scripts. Please allow them for this page.</p>
            </noscript>
            <Skeleton className="mt-6 h-64" />
          </>
        )}
      </main>
    </div>
  );
}
