import type { Stripe } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import type { Settings } from '#contract/operations/settings.ts';
import { withTimeout } from '../../../requests/with-timeout.ts';

/** Milliseconds until loading the card processor's script fails. */
const SCRIPT_TIMEOUT = 20_000;

let loaded: Stripe | null = null;

/** Loads a script of another origin. @throws Error when it cannot be loaded; a retry is possible */
function loadScript(url: string): Promise<void> {
  const script = document.createElement('script');
  const running = new Promise<void>((resolve, reject) => {
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', () => reject(new Error(`${url} could not be loaded.`)));
  });
  script.src = url;
  document.head.append(script);
  return withTimeout(SCRIPT_TIMEOUT, running).catch((error: unknown) => {
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
    // Stripe's loader uses an existing `window.Stripe` instead of fetching its script.
    if (settings.scriptUrl !== null && window.Stripe === undefined) await loadScript(settings.scriptUrl);
    loaded = await withTimeout(SCRIPT_TIMEOUT, loadStripe(settings.publishableKey));
  } catch (cause) {
    throw new Error(
      'The card field could not be loaded. Please check your connection, and that nothing in your browser blocks the card processor.',
      { cause },
    );
  }
  if (loaded === null) throw new Error('The card field needs a browser.');
  return loaded;
}
