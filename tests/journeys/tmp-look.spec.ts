import { test } from '#tests/harness/platform/browser.ts';

const cases = {
  video: '/laptops?q=video+editing+under+%241500+near+Portland',
  none: '/laptops?q=gaming+oled+under+%24100+in+Portland',
};
for (const [name, url] of Object.entries(cases)) {
  for (const width of [390, 1440]) {
    for (const scheme of ['light', 'dark'] as const) {
      test(`${name} ${width} ${scheme}`, async ({ page }) => {
        await page.setViewportSize({ width, height: width === 390 ? 1400 : 1100 });
        await page.emulateMedia({ colorScheme: scheme });
        await page.goto(url);
        await page.waitForLoadState('networkidle');
        await page.screenshot({ path: `/tmp/words-${name}-${width}-${scheme}.png` });
      });
    }
  }
}
