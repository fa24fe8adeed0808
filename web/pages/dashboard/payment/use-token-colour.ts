import { useSyncExternalStore } from 'react';

/** The computed value of a colour token. The card processor's iframe cannot read CSS variables of this page. */
function readTokenColour(token: string): string {
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

/** The value of a colour token in the current theme; updates when the theme changes. */
export function useTokenColour(token: string): string {
  return useSyncExternalStore(
    onThemeChange,
    () => readTokenColour(token),
    () => '',
  );
}
