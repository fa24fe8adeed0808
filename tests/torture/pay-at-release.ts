import { saveSettings } from '#server/operations/settings/actions.ts';
import { readSettings } from '#server/operations/settings/store.ts';
import { connect } from '#server/platform/database/connect.ts';

/**
 * Lets a running shop pay its sellers by transfers at the release: a run cannot wait until the time for complaints is over.
 * @param databaseUrl PostgreSQL itself
 */
export async function payAtRelease(databaseUrl: string): Promise<void> {
  const { database, close } = connect(databaseUrl, () => undefined);
  try {
    const { version, settings } = await readSettings(database);
    await saveSettings(database, null, {
      version,
      settings: { ...settings, payoutAfter: 'release', payoutMethod: 'card_processor' },
    });
  } finally {
    await close();
  }
}
