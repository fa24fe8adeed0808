import plugin from 'tailwindcss/plugin';
import { theme, themeVariables } from '../../contract/platform/theme.ts';

/** Makes a CSS variable and the classes of each colour of the theme: `--primary`, `bg-primary`. */
export default plugin(({ addBase }) => addBase({ ':root': themeVariables }), {
  theme: {
    extend: { colors: Object.fromEntries(Object.keys(theme).map((role) => [role, `var(--${role})`])) },
  },
});
