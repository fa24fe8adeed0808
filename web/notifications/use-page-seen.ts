import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { useLocation } from 'react-router';
import { markPageSeen } from '#contract/people/notifications.ts';
import { refetch } from '../requests/refetch.ts';
import { useApi } from '../session/session.tsx';

/**
 * The path under which notifications lead to a page, for pages that show what their notifications tell: those of the dashboard,
 * and laptops. @returns null for other pages, such as the home page
 */
export function notificationPathOf(pathname: string): string | null {
  const path = pathname.replace(/\/$/, '');
  if (path === '/dashboard') return '/dashboard/myOrders';
  // Other pages are lists of notifications and settings.
  if (path === '/dashboard/notifications') return null;
  if (path.startsWith('/dashboard/')) return path;
  return /^\/laptop\/[^/]+/.exec(path)?.[0] ?? null;
}

function onVisibility(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}

/**
 * Marks notifications that lead to the visible page as seen, and lets the page read again what they tell.
 * @param unseen the number of unseen notifications; without one nothing is asked
 * @param countedAt when they were counted, in milliseconds since 1970
 */
export function usePageSeen(unseen: number, countedAt: number): void {
  const api = useApi();
  const cache = useQueryClient();
  const path = notificationPathOf(useLocation().pathname);
  const isVisible = useSyncExternalStore(
    onVisibility,
    () => !document.hidden,
    () => false,
  );
  const mark = useEffectEvent((visited: string) => {
    api.call(markPageSeen, { body: { path: visited } }).then(
      ({ modifiedCount }) => {
        if (modifiedCount > 0) void refetch(cache);
      },
      // They stay unseen, and the next visit marks them.
      () => undefined,
    );
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a notification can arrive while another one is marked, so that their number stays
  useEffect(() => {
    if (isVisible && unseen > 0 && path !== null) mark(path);
  }, [isVisible, unseen, countedAt, path]);
}
