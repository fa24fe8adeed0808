import type { FastifyBaseLogger } from 'fastify';
import { listenForNotifications, PROCESS_NAME } from '../database/notification-listener.ts';
import type { PublicReader } from '../database/replica.ts';
import type { ResponseCache } from './response-cache.ts';

/**
 * Forgets kept responses when what they show changes, at any process.
 * @returns the connection that hears of it, to be stopped
 */
export function followChanges(
  {
    directUrl,
    publicReader,
    cache,
  }: {
    /** PostgreSQL itself. */
    directUrl: string;
    publicReader: PublicReader;
    cache: Pick<ResponseCache, 'enable' | 'disable' | 'forgetNotified'>;
  },
  log: FastifyBaseLogger,
) {
  const listener = listenForNotifications(
    directUrl,
    'catalogue_changed',
    {
      onConnect: () => {
        publicReader.noteChange();
        cache.enable(listener.received);
      },
      onNotification: (text) => {
        publicReader.noteChange();
        cache.forgetNotified([text]);
      },
      onDisconnect: () => {
        publicReader.suspend();
        cache.disable();
      },
      onDeaf: (sentence) => log.error(sentence),
    },
    { name: PROCESS_NAME },
  );
  return listener;
}
