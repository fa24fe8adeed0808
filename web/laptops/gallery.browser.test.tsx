import { expect, test } from 'vitest';
import { cdp, type Locator, page, userEvent } from 'vitest/browser';
import { mount } from '../testing/component.tsx';
import { Gallery } from './gallery.tsx';

const photo = (color: string) =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="1200"><rect width="100%" height="100%" fill="${color}"/></svg>`)}`;
const images = ['red', 'green', 'blue'].map(photo);
const laptop = { name: 'OptiBook', images, captions: { [photo('green')]: 'A scratch' } };

const enlarge = (number: number) =>
  page.getByRole('button', { name: new RegExp(`^Enlarge photo ${number} of 3`) });
const position = (text: string, part: Pick<Locator, 'getByText'> = page.getByRole('group')) =>
  part.getByText(new RegExp(`${text}$`));
const viewer = page.getByRole('dialog', { name: 'OptiBook' });
/** The width of the picture that a photo of the gallery has drawn; 0 before. */
const drawnWidth = (number: number) => enlarge(number).element().querySelector('img')?.naturalWidth ?? 0;
/** The photo that the viewer shows. */
const shown = () => viewer.element().querySelector('.yarl__slide_current img');
const place = () => shown()?.getBoundingClientRect() ?? new DOMRect();

async function openViewer(number: number): Promise<void> {
  await enlarge(number).click();
  await expect.element(viewer).toBeVisible();
  await expect.poll(() => shown() instanceof HTMLImageElement && place().width).toBeGreaterThan(100);
}

/**
 * Touches the page with fingers, which move sideways.
 * @param from where each of them touches, in pixels from the left of the element
 * @param to where each of them is lifted
 */
async function touch(element: Element, from: readonly number[], to: readonly number[]): Promise<void> {
  const session = cdp();
  const box = element.getBoundingClientRect();
  const frame = window.frameElement?.getBoundingClientRect() ?? new DOMRect();
  const y = frame.top + box.top + box.height / 2;
  const at = (share: number) =>
    from.map((start, id) => ({
      x: frame.left + box.left + start + ((to[id] ?? start) - start) * share,
      y,
      id,
    }));
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) });
  for (let step = 1; step <= 12; step += 1)
    await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(step / 12) });
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

test('a gallery is navigated by buttons, keys and thumbnails, and says its position', async () => {
  mount(<Gallery laptop={laptop} eager />);
  await expect.element(position('1 of 3')).toBeVisible();
  // Only the first photo is fetched at first.
  expect(enlarge(1).element().querySelector('img')).not.toBeNull();
  expect(enlarge(2).element().querySelector('img')).toBeNull();
  await page.getByRole('button', { name: 'Next photo' }).click();
  await expect.element(position('2 of 3')).toBeVisible();
  await expect.element(enlarge(2)).toBeInViewport({ ratio: 0.5 });
  await expect.poll(() => drawnWidth(2)).toBeGreaterThan(0);
  await expect.element(enlarge(2)).toHaveAccessibleName('Enlarge photo 2 of 3 of OptiBook: A scratch');
  await expect.element(enlarge(2).getByText('A scratch')).toBeVisible();

  enlarge(2).element().focus();
  for (const [key, number] of [
    ['ArrowRight', 3],
    ['ArrowRight', 3],
    ['Home', 1],
    ['End', 3],
    ['ArrowLeft', 2],
  ] as const) {
    await userEvent.keyboard(`{${key}}`);
    await expect.element(enlarge(number)).toHaveFocus();
    await expect.element(position(`${number} of 3`)).toBeVisible();
  }
  const thumbnail = page.getByRole('button', { name: 'Show photo 3' });
  await thumbnail.click();
  await expect.element(position('3 of 3')).toBeVisible();
  await expect.element(thumbnail).toHaveAttribute('aria-current', 'true');
  await expect.element(page.getByRole('button', { name: 'Next photo' })).toBeDisabled();
});

test('the viewer zooms by keys and buttons, pans by keys and by a drag, shows captions, and returns the focus to the photo it showed', async () => {
  mount(<Gallery laptop={laptop} eager />);
  await openViewer(1);
  await expect.element(position('1 of 3', viewer)).toBeVisible();
  const whole = place().width;
  await userEvent.keyboard('+');
  await expect.poll(() => place().width).toBeGreaterThan(whole * 1.5);
  const middle = place().left;
  // Arrow keys pan an enlarged photo.
  await userEvent.keyboard('{ArrowRight}');
  await expect.poll(() => place().left).toBeLessThan(middle - 40);
  const panned = place().left;
  await touch(viewer.element(), [300], [400]);
  await expect.poll(() => place().left).toBeGreaterThan(panned + 40);
  await expect.element(position('1 of 3', viewer)).toBeVisible();
  await viewer.getByRole('button', { name: 'Zoom out' }).click();
  await expect.poll(() => place().width).toBeLessThan(whole * 1.5);
  await userEvent.keyboard('0');
  await expect.poll(() => place().width).toBeCloseTo(whole, 0);

  await userEvent.keyboard('{ArrowRight}');
  await expect.element(position('2 of 3', viewer)).toBeVisible();
  await expect.element(viewer.getByText('A scratch')).toBeVisible();
  await viewer.getByRole('button', { name: 'Next photo' }).click();
  await expect.element(position('3 of 3', viewer)).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(viewer).not.toBeInTheDocument();
  await expect.element(enlarge(3)).toHaveFocus();
  await expect.element(position('3 of 3')).toBeVisible();
});

test('a swipe shows the next photo in the gallery and in the viewer, where two fingers zoom in', async () => {
  mount(<Gallery laptop={laptop} eager />);
  await expect.element(enlarge(1)).toBeVisible();
  const { width } = enlarge(1).element().getBoundingClientRect();
  await touch(enlarge(1).element(), [width * 0.8], [width * 0.1]);
  await expect.element(position('2 of 3')).toBeVisible();
  await expect.poll(() => drawnWidth(2)).toBeGreaterThan(0);
  await openViewer(2);
  // Some browsers navigate back on a swipe that scrolls nothing.
  expect(getComputedStyle(document.documentElement).overscrollBehaviorX).toBe('none');
  await touch(viewer.element(), [300], [80]);
  await expect.element(position('3 of 3', viewer)).toBeVisible();
  await touch(viewer.element(), [80], [300]);
  await expect.element(position('2 of 3', viewer)).toBeVisible();
  const whole = place().width;
  const middle = viewer.element().clientWidth / 2;
  await touch(viewer.element(), [middle - 20, middle + 20], [middle - 120, middle + 120]);
  await expect.poll(() => place().width).toBeGreaterThan(whole * 1.2);
});

test('a single photo has no arrows, and its viewer none either', async () => {
  mount(<Gallery laptop={{ name: 'OptiBook', images: images.slice(0, 1) }} eager />);
  const photo = page.getByRole('button', { name: 'Enlarge the photo of OptiBook' });
  await expect.element(photo).toBeVisible();
  expect(page.getByText(/1 of 1/).query()).toBeNull();
  expect(page.getByRole('button', { name: 'Next photo' }).query()).toBeNull();
  await photo.click();
  await expect.element(viewer).toBeVisible();
  expect(viewer.getByRole('button', { name: 'Next photo' }).query()).toBeNull();
});
