import type { FastifyBaseLogger } from 'fastify';
import { currencyOf } from '#contract/platform/currencies.ts';
import { setDeadlines } from '#contract/platform/deadlines.ts';
import { setCurrency } from '#contract/platform/money.ts';
import { defaultShopSettings, type ShopSettings } from '#contract/platform/shop-settings.ts';
import type { Notifications } from '#server/platform/database/notification-listener.ts';
import type { Database } from '#server/platform/database/tables.ts';
import { readSettings, type StoredSettings } from './store.ts';

/** The channel of PostgreSQL that a trigger notifies. */
const CHANNEL = 'settings_changed';

/** When the settings are read again after they could not be read, in milliseconds. */
const RETRY_MS = 1_000;

/** Sets what the whole process knows of the settings: currency and deadlines. */
function applyToProcess({ currency, deadlines }: ShopSettings): void {
  setDeadlines(deadlines);
  setCurrency(currencyOf(currency));
}

/** Reads the settings once, for a command. @throws an error of the database */
export const applyStoredSettings = async (database: Database): Promise<void> =>
  applyToProcess((await readSettings(database)).settings);

/** The settings in the memory of this process. */
export type CurrentSettings = ReturnType<typeof createCurrentSettings>;

/**
 * Keeps the settings in memory, sets the currency of the process, and reads them again when PostgreSQL notifies a change.
 * @param onChange called after each change, to drop what shows the former settings
 */
export function createCurrentSettings({
  database,
  notifications,
  logger,
  onChange,
}: {
  database: Database;
  notifications: Pick<Notifications, 'subscribe'>;
  logger: Pick<FastifyBaseLogger, 'warn'>;
  onChange: () => void;
}) {
  let stored: StoredSettings = { version: 0, settings: defaultShopSettings };
  let timer: NodeJS.Timeout | null = null;
  let isStopped = false;

  /** @throws an error of the database */
  async function refresh(): Promise<void> {
    const read = await readSettings(database);
    // A slower reading of an earlier version.
    if (read.version <= stored.version) return;
    stored = read;
    applyToProcess(read.settings);
    onChange();
  }

  function follow(): void {
    refresh().catch((error: unknown) => {
      if (isStopped) return;
      logger.warn({ err: error }, 'the settings could not be read; they are read again');
      timer ??= setTimeout(() => {
        timer = null;
        follow();
      }, RETRY_MS);
    });
  }

  const unsubscribe = notifications.subscribe(CHANNEL, { onConnect: follow, onNotification: follow });

  return {
    settings: () => stored.settings,
    version: () => stored.version,
    refresh,
    stop: (): void => {
      isStopped = true;
      if (timer !== null) clearTimeout(timer);
      unsubscribe();
    },
  };
}
