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
