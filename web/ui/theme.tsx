import { useNonce } from './nonce.tsx';

const THEME_KEY = 'coomercioTheme';

const applyKeptTheme = `try{var t=localStorage.getItem('${THEME_KEY}');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch(e){}`;

/** Puts the kept theme on the document before its first paint; belongs into the head. */
export function KeptTheme() {
  return (
    <script nonce={useNonce()} suppressHydrationWarning>
      {applyKeptTheme}
    </script>
  );
}

function isDark(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark';
}

function switchTheme() {
  const theme = isDark() ? 'light' : 'dark';
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem(THEME_KEY, theme);
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the page.
  }
}

/** Switches between light and dark; until it is used the system decides. */
export function ThemeSwitch() {
  return (
    <button
      type="button"
      onClick={switchTheme}
      aria-label="Switch between light and dark"
      title="Switch between light and dark"
      className="grid size-10 place-items-center rounded-full text-quiet hover:bg-sunken hover:text-ink"
    >
      <svg viewBox="0 0 24 24" className="size-5" aria-hidden="true">
        <circle cx="12" cy="12" r="8.5" fill="none" stroke="currentColor" strokeWidth="1.75" />
        <path d="M12 3.5a8.5 8.5 0 0 1 0 17z" fill="currentColor" />
      </svg>
    </button>
  );
}
