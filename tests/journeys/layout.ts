import type { Page } from '@playwright/test';

/**
 * Widths of the window and sizes of the text, in CSS pixels: 320 px of WCAG 1.4.10, text at 200 % of WCAG 1.4.4 on a phone, a
 * tablet, and desks.
 */
const allLayouts = [
  { width: 320, text: 16 },
  { width: 390, text: 32 },
  { width: 768, text: 16 },
  { width: 1024, text: 16 },
  { width: 1440, text: 16 },
];

/**
 * Those that journeys check: the largest text, which has less room than the narrowest window, and the last one.
 * `npm run test:all` checks all.
 */
export const layouts =
  process.env.ALL_LAYOUTS === undefined
    ? allLayouts.filter(({ width, text }) => text > 16 || width === 1440)
    : allLayouts;

/** CSS pixels that rounding may add. */
const TOLERANCE = 1;

/**
 * Describes what does not fit in the window: a page that scrolls sideways, a table wider than its container, text outside
 * the window or cut by its container, text in a column too narrow to read, and inputs whose text is cut or that have no room to
 * type in.
 */
export function findLayoutFaults(page: Page): Promise<string[]> {
  return page.evaluate((tolerance) => {
    const faults = new Set<string>();
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) faults.add(`the page is ${scrollWidth} px wide in ${clientWidth}`);
    for (const table of document.querySelectorAll<HTMLTableElement>('table[role=table]')) {
      const room = table.parentElement?.getBoundingClientRect().width ?? 0;
      const { width } = table.getBoundingClientRect();
      if (width > room + tolerance) faults.add(`table ${table.caption?.textContent}: ${width} px in ${room}`);
    }

    const typed = document.querySelectorAll<HTMLInputElement>(
      'input:not([type=checkbox], [type=radio], [type=file], [type=hidden], [type=range], [type=color])',
    );
    for (const input of typed) {
      if (!input.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      const { paddingLeft, paddingRight, fontSize } = getComputedStyle(input);
      const room = input.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
      const field = `input ${input.labels?.[0]?.textContent || input.ariaLabel || input.name}`;
      // A digit is little more than half as wide as the text is high.
      if (room < 6 * 0.55 * Number.parseFloat(fontSize))
        faults.add(`${field}: ${Math.round(room)} px to type in`);
      // A read-only or long text scrolls; an amount is short.
      if (input.inputMode === 'decimal' || input.inputMode === 'numeric') {
        if (input.scrollWidth > input.clientWidth + tolerance)
          faults.add(`${field}: “${input.value}” is cut`);
      }
    }

    /** The nearest ancestor that clips or scrolls its content, by element. */
    const clippers = new Map<Element, Element | null>();
    function findClipper(element: Element): Element | null {
      const known = clippers.get(element);
      if (known !== undefined) return known;
      const { overflowX, overflowY, position } = getComputedStyle(element);
      const parent = position === 'fixed' ? null : element.parentElement;
      const clips = overflowX !== 'visible' || overflowY !== 'visible';
      const found =
        parent === null || element === document.body ? null : clips ? element : findClipper(parent);
      clippers.set(element, found);
      return found;
    }

    const isHorizontal = (a: DOMRect, b: DOMRect) => Math.abs(a.top - b.top) < a.height / 2;
    const range = document.createRange();
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      const text = node.nodeValue ?? '';
      const parent = node.parentElement;
      if (text.trim() === '' || parent === null) continue;
      range.selectNodeContents(node);
      const lines = [...range.getClientRects()].filter(({ width }) => width > 0);
      const [first] = lines;
      // Neither displayed, nor in a closed popover, nor for screen readers only.
      if (first === undefined || !parent.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
        continue;
      const clipper = findClipper(parent);
      if (clipper !== null && getComputedStyle(clipper).clipPath !== 'none') continue;
      const clip = clipper?.getBoundingClientRect();
      const words = `“${text.trim().replace(/\s+/g, ' ').slice(0, 40)}”`;

      if (clipper === null || clip === undefined) {
        for (const { left, right } of lines) {
          // A link for the keyboard may wait left of the window.
          if ((left < -tolerance && right > 0) || right > clientWidth + tolerance)
            faults.add(`${words} leaves the window`);
        }
      } else {
        const { overflowX, overflowY, textOverflow, webkitLineClamp } = getComputedStyle(clipper);
        const isShortened = textOverflow === 'ellipsis' || webkitLineClamp !== 'none';
        for (const { left, right, top, bottom, height } of lines) {
          const cutX = left < clip.left - tolerance || right > clip.right + tolerance;
          const cutY = top < clip.top - height / 4 || bottom > clip.bottom + height / 4;
          if (isShortened) break;
          if ((cutX && /hidden|clip/.test(overflowX)) || (cutY && /hidden|clip/.test(overflowY)))
            faults.add(`${words} is cut`);
        }
      }

      // Addresses and code break anywhere.
      if (parent.closest('code') !== null) continue;
      // Words and prices of this length fit in any column that can be read.
      for (const { index, 0: word } of text.matchAll(/(?<!\S)[^\s@/_:-]{2,9}(?!\S)/g)) {
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const [start, ...rest] = [...range.getClientRects()].filter(({ width }) => width > 0);
        if (start !== undefined && rest.some((part) => !isHorizontal(start, part)))
          faults.add(`${words} breaks the word ${word}`);
      }
      const rows = new Set(lines.map(({ top }) => Math.round(top))).size;
      if (rows >= 5 && text.trim().length / rows < 3) faults.add(`${words} stands in ${rows} lines`);
    }
    return [...faults];
  }, TOLERANCE);
}
