import type { StyleRules } from './messages.ts';

/** The allowed CSS properties: none that loads a file or covers another field. */
const properties = [
  'backgroundColor',
  'color',
  'fontFamily',
  'fontSize',
  'fontSmoothing',
  'fontStyle',
  'fontVariant',
  'fontWeight',
  'letterSpacing',
  'lineHeight',
  'padding',
  'textAlign',
  'textDecoration',
  'textShadow',
  'textTransform',
];

const states = ['base', 'complete', 'empty', 'invalid'];
const parts = [':hover', ':focus', ':disabled', '::placeholder', '::selection', ':-webkit-autofill'];

const sheet = new CSSStyleSheet();
document.adoptedStyleSheets = [sheet];

/** Applies Stripe's `style` option to the fields, without properties that are not allowed. */
export function applyStyle(style: Record<string, StyleRules>): void {
  sheet.replaceSync('.field.invalid { color: #b3261e }');
  for (const state of states) {
    const rules = style[state];
    if (rules === undefined) continue;
    const suffix = state === 'base' ? '' : `.${state}`;
    addRule(`.field${suffix}`, rules);
    if (typeof rules.iconColor === 'string') {
      addRule(`.icon${suffix}[data-brand="unknown"] .plate`, { fill: rules.iconColor }, ['fill']);
    }
    for (const part of parts) {
      const nested = rules[part];
      if (isRules(nested)) addRule(`.field${suffix}${part.replace('-webkit-', '')}`, nested);
    }
  }
}

function isRules(value: unknown): value is StyleRules {
  return typeof value === 'object' && value !== null;
}

function addRule(selector: string, rules: StyleRules, allowed = properties): void {
  const rule = sheet.cssRules.item(sheet.insertRule(`${selector} {}`, sheet.cssRules.length));
  if (!(rule instanceof CSSStyleRule)) return;
  for (const name of allowed) {
    const value = rules[name];
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    const property =
      name === 'fontSmoothing'
        ? '-webkit-font-smoothing'
        : name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    rule.style.setProperty(property, String(value));
  }
}
