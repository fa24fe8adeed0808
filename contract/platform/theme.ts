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

export type ThemeRole = keyof typeof theme;

/** A colour for each role. */
export type Theme = Readonly<Record<ThemeRole, ThemeColor>>;

/** The CSS variables of roles, such as `--primary`, for both themes. */
export function toVariables(colors: Readonly<Record<string, ThemeColor>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(colors).map(([role, { light, dark }]) => [
      `--${role}`,
      light === dark ? light : `light-dark(${light}, ${dark})`,
    ]),
  );
}

/** The CSS variables of all roles. */
export const themeVariables: Readonly<Record<string, string>> = toVariables(theme);

/** The relative luminance of a colour such as `#6d3a9c`, by WCAG 2.2. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const value = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast ratio of two colours such as `#6d3a9c`, by WCAG 2.2: from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** The least contrast of text (WCAG 2.2, 1.4.3) and of the borders of controls (1.4.11). */
const TEXT_CONTRAST = 4.5;
const CONTROL_CONTRAST = 3;

const pages = ['background', 'surface', 'subtle'] as const;

/** The pairs of a role and the role behind it that must be told apart, with the least contrast of each. */
export const readablePairs: readonly (readonly [front: ThemeRole, behind: ThemeRole, least: number])[] = [
  ...(['foreground', 'muted', 'link', 'success', 'danger', 'warning'] as const).flatMap((front) =>
    pages.map((behind) => [front, behind, TEXT_CONTRAST] as const),
  ),
  ['on-primary', 'primary', TEXT_CONTRAST],
  ['on-primary', 'primary-hover', TEXT_CONTRAST],
  ['foreground', 'primary-soft', TEXT_CONTRAST],
  ['link', 'accent-soft', TEXT_CONTRAST],
  ['accent', 'accent-soft', TEXT_CONTRAST],
  ['success', 'success-soft', TEXT_CONTRAST],
  ['danger', 'danger-soft', TEXT_CONTRAST],
  ['border-strong', 'background', CONTROL_CONTRAST],
  ['border-strong', 'surface', CONTROL_CONTRAST],
  ['accent', 'background', CONTROL_CONTRAST],
  ['accent', 'surface', CONTROL_CONTRAST],
];

/** A pair of colours that cannot be told apart well enough. */
export interface UnreadablePair {
  front: ThemeRole;
  behind: ThemeRole;
  mode: 'light' | 'dark';
  contrast: number;
  least: number;
}

/** The pairs of a theme with too little contrast. */
export function unreadablePairs(colors: Theme): UnreadablePair[] {
  return readablePairs.flatMap(([front, behind, least]) =>
    (['light', 'dark'] as const).flatMap((mode) => {
      const contrast = contrastOf(colors[front][mode], colors[behind][mode]);
      return contrast < least ? [{ front, behind, mode, contrast, least }] : [];
    }),
  );
}
