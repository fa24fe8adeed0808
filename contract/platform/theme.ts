/** A colour of the light and of the dark theme. */
export interface ThemeColor {
  readonly light: string;
  readonly dark: string;
}

const hue = (light: string, dark = light): ThemeColor => ({ light, dark });

const ink = '#221b14';
const orange = '#f28c18';
const aubergine = hue('#6d3a9c', '#cba8ec');
const paleAubergine = hue('#f0e7f7', '#33253f');

/** Every colour of the pages and the emails by its role, and the hue behind it. Text roles keep a contrast of 4.5 on each background. */
export const theme = {
  /** The page. */
  background: hue('#faf6ef', '#171310'),
  /** Cards, dialogs and controls on the page. */
  surface: hue('#fffdf9', '#211c17'),
  /** Areas that step back, and hovered controls. */
  subtle: hue('#f1eadf', '#100d0a'),
  foreground: hue(ink, '#f3ece2'),
  /** Secondary text. */
  muted: hue('#655a4e', '#b8ab9b'),
  border: hue('#e2d8c8', '#3a322a'),
  /** The border of controls. */
  'border-strong': hue('#8a7d6e'),
  /** The main action of a view. */
  primary: hue(orange),
  'primary-hover': hue('#de7a08', '#ffa640'),
  'primary-soft': hue('#fdebd3', '#3b2a14'),
  'on-primary': hue(ink),
  link: aubergine,
  /** Focus, checked controls and verified sellers. */
  accent: aubergine,
  'accent-soft': paleAubergine,
  success: hue('#2a6b3d', '#85cf98'),
  'success-soft': hue('#e2f0e2', '#1d3224'),
  warning: hue('#8a4b00', '#ffb45e'),
  danger: hue('#b3261e', '#ff9c90'),
  'danger-soft': hue('#fbe8e5', '#43211d'),
  /** Over the page below a dialog. */
  overlay: hue('rgb(34 27 20 / 0.45)', 'rgb(0 0 0 / 0.65)'),
  /** Behind photos while they load. */
  photo: hue('#d6cbbb'),
  /** Behind the marks of brands. */
  tint: hue('#ffffff', '#958a7b'),
} satisfies Record<string, ThemeColor>;

const roles: [role: string, color: ThemeColor][] = Object.entries(theme);

/** The CSS variables of all roles, such as `--primary`, for both themes. */
export const themeVariables: Readonly<Record<string, string>> = Object.fromEntries(
  roles.map(([role, { light, dark }]) => [
    `--${role}`,
    light === dark ? light : `light-dark(${light}, ${dark})`,
  ]),
);
