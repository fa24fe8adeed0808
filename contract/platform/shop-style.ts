// Imported by every page, so it holds no schema.

/** A colour of the light and of the dark theme. */
export interface ThemeColor {
  readonly light: string;
  readonly dark: string;
}

/** The path of a picture of the shop. Its name changes with its content, so browsers keep it. */
export const shopPicturePath = ({ name }: { name: string }): string => `/shop-pictures/${name}`;

/** The CSS variables of roles, such as `--primary`, for both themes. */
export function toVariables(colors: Readonly<Record<string, ThemeColor>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(colors).map(([role, { light, dark }]) => [
      `--${role}`,
      light === dark ? light : `light-dark(${light}, ${dark})`,
    ]),
  );
}
