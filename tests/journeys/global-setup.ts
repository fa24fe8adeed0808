import { readShopSettings, saveShopSettings } from '#contract/operations/settings.ts';
import { demoPassword } from '#demo/accounts.ts';
import { openBrowserSession } from '#tests/harness/people/browser-session.ts';

/** Sets what all journeys need, once the shop is open. */
export default async function setUp(): Promise<void> {
  const { client } = await openBrowserSession(`http://localhost:${process.env.JOURNEY_PORT}`, ({ signIn }) =>
    signIn('admin@coomercio.example', demoPassword),
  );
  const { version, settings } = await client.call(readShopSettings, {});
  // Journeys cannot wait until the time for complaints is over.
  await client.call(saveShopSettings, {
    body: { version, settings: { ...settings, payoutAfter: 'release' } },
  });
}
