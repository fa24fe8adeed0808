import type { FastifyBaseLogger } from 'fastify';
import { listenForNotifications, PROCESS_NAME } from '../database/notification-listener.ts';
import type { ResponseCache } from './response-cache.ts';

/**
 * Forgets kept responses when what they show changes, at any process.
 * @returns the connection that hears of it, to be stopped
 */
export function followChanges(
  {
    directUrl,
    cache,
  }: {
    /** PostgreSQL itself. */
    directUrl: string;
    cache: Pick<ResponseCache, 'enable' | 'disable' | 'forgetNotified'>;
  },
  log: FastifyBaseLogger,
) {
  const listener = listenForNotifications(
    directUrl,
    'catalogue_changed',
    {
      onConnect: () => {
        cache.enable(listener.received);
      },
      onNotification: (text) => {
        cache.forgetNotified([text]);
      },
      onDisconnect: () => {
        cache.disable();
      },
      onDeaf: (sentence) => log.error(sentence),
    },
    { name: PROCESS_NAME },
  );
  return listener;
}
