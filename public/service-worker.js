// Shows the shop's push messages. It neither stores pages nor answers their requests.

self.addEventListener('install', () => self.skipWaiting());

self.addEventListener('push', (event) => {
  const { id, title, body, path } = event.data.json();
  // Of two messages with the same tag the second replaces the first.
  event.waitUntil(self.registration.showNotification(title, { body, tag: id, data: { path } }));
});

/** Focuses a tab with the page, or opens the page. Another page is not replaced: a form may be filled in there. */
async function openPage(path) {
  const url = new URL(path, self.location.origin);
  if (url.origin !== self.location.origin) return;
  const tabs = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const open = tabs.find((tab) => tab.url === url.href);
  await (open === undefined ? self.clients.openWindow(url.href) : open.focus());
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openPage(event.notification.data.path));
});
