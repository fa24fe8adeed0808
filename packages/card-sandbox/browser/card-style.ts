import type { StyleRules } from './messages.ts';

/** The allowed CSS properties: none that loads a file or covers another field. */
const properties = ['backgroundColor', 'color', 'fontFamily', 'fontSize', 'fontWeight', 'lineHeight'];

const sheet = new CSSStyleSheet();
document.adoptedStyleSheets = [sheet];

/** Applies `base` and `invalid` of Stripe's `style` option to the fields, without properties that are not allowed. */
export function applyStyle({ base = {}, invalid = {} }: Record<string, StyleRules>): void {
  sheet.replaceSync('.field.invalid { color: #b3261e }');
  addRule('.field', base);
  if (isRules(base['::placeholder'])) addRule('.field::placeholder', base['::placeholder']);
  addRule('.field.invalid', invalid);
}

function isRules(value: unknown): value is StyleRules {
  return typeof value === 'object' && value !== null;
}

function addRule(selector: string, rules: StyleRules): void {
  const rule = sheet.cssRules.item(sheet.insertRule(`${selector} {}`, sheet.cssRules.length));
  if (!(rule instanceof CSSStyleRule)) return;
  for (const name of properties) {
    const value = rules[name];
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    const property = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    rule.style.setProperty(property, String(value));
  }
}
