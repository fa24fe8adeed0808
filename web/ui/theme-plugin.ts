import plugin from 'tailwindcss/plugin';
import { type ThemeColor, theme } from '../../contract/theme.ts';

const roles: [string, ThemeColor][] = Object.entries(theme);

/** Makes a CSS variable and the classes of each colour of the theme: `--primary`, `bg-primary`. */
export default plugin(
  ({ addBase }) =>
    addBase({
      ':root': Object.fromEntries(
        roles.map(([role, { light, dark }]) => [
          `--${role}`,
          light === dark ? light : `light-dark(${light}, ${dark})`,
        ]),
      ),
    }),
  {
    theme: { extend: { colors: Object.fromEntries(roles.map(([role]) => [role, `var(--${role})`])) } },
  },
);
