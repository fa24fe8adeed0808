import { useNonce } from './nonce.tsx';

const THEME_KEY = 'coomercioTheme';

/** The attribute of the buttons that the script handles. */
const SWITCH = 'data-theme-switch';

/**
 * Applies the stored theme, and toggles it on a click on a theme switch. It runs before hydration. When storage is
 * forbidden, the choice lasts until the page is closed.
 */
const script = `(()=>{
const root=document.documentElement,key='${THEME_KEY}';
try{const kept=localStorage.getItem(key);if(kept==='light'||kept==='dark')root.dataset.theme=kept}catch{}
addEventListener('click',({target})=>{
if(!target.closest?.('[${SWITCH}]'))return;
const now=root.dataset.theme??(matchMedia('(prefers-color-scheme: dark)').matches?'dark':'light');
const next=root.dataset.theme=now==='dark'?'light':'dark';
try{localStorage.setItem(key,next)}catch{}
})})()`;

/** The theme script. It must be in the head, to run before the first paint. */
export function ThemeScript() {
  return (
    <script nonce={useNonce()} suppressHydrationWarning>
      {/* It runs once, from the document, so the browser's bundle leaves it out. */}
      {import.meta.env.SSR ? script : ''}
    </script>
  );
}

/** Toggles light and dark through {@link ThemeScript}. Before the first use the system preference applies. */
export function ThemeSwitch() {
  return (
    <button
      type="button"
      {...{ [SWITCH]: '' }}
      aria-label="Switch between light and dark"
      title="Switch between light and dark"
      className="grid size-10 place-items-center rounded-full text-muted hover:bg-subtle hover:text-foreground"
    >
      <svg viewBox="0 0 24 24" className="size-5" aria-hidden="true">
        <circle cx="12" cy="12" r="8.5" fill="none" stroke="currentColor" strokeWidth="1.75" />
        <path d="M12 3.5a8.5 8.5 0 0 1 0 17z" fill="currentColor" />
      </svg>
    </button>
  );
}
