import type { Stripe } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import type { Settings } from '#contract/settings.ts';
import { within } from './with-timeout.ts';

/** Milliseconds until the card processor's script counts as unreachable. */
const SCRIPT_LIMIT = 20_000;

let loaded: Stripe | null = null;

/** Runs a script from another origin. @throws when it cannot be loaded; it can then be tried again */
function runScript(url: string): Promise<void> {
  const script = document.createElement('script');
  const running = new Promise<void>((resolve, reject) => {
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', () => reject(new Error(`${url} could not be loaded.`)));
  });
  script.src = url;
  document.head.append(script);
  return within(SCRIPT_LIMIT, running).catch((error: unknown) => {
    script.remove();
    throw error;
  });
}

/**
 * The card processor's library, loaded once per page.
 * @throws Error with a sentence for people
 */
export async function loadCardProcessor(settings: Settings['cards']): Promise<Stripe> {
  if (loaded !== null) return loaded;
  try {
    // Stripe's own loader takes a `window.Stripe` that is there already instead of fetching its script.
    if (settings.scriptUrl !== null && window.Stripe === undefined) await runScript(settings.scriptUrl);
    loaded = await within(SCRIPT_LIMIT, loadStripe(settings.publishableKey));
  } catch (cause) {
    throw new Error(
      'The card field could not be loaded. Please check your connection, and that nothing in your browser blocks the card processor.',
      { cause },
    );
  }
  if (loaded === null) throw new Error('The card field needs a browser.');
  return loaded;
}
