import { useSyncExternalStore } from 'react';

/** The colour that a token has now, as the browser computes it: the card's frame cannot read our tokens. */
function computed(token: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(--${token})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

function onThemeChange(listener: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const choice = new MutationObserver(listener);
  system.addEventListener('change', listener);
  choice.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => {
    system.removeEventListener('change', listener);
    choice.disconnect();
  };
}

/** A token's colour in the theme that is shown, and again whenever the theme changes. */
export function useTokenColour(token: string): string {
  return useSyncExternalStore(
    onThemeChange,
    () => computed(token),
    () => '',
  );
}
