import { themes, viewports } from './capture.ts';
import type { View } from './views.ts';

const columns = themes.flatMap((theme) => viewports.map(({ width }) => ({ theme, width })));

function rowOf({ name, title }: View): string {
  const cells = columns.map(({ theme, width }) => {
    const file = `${name}-${width}-${theme}.webp`;
    return `<td><a href="${file}"><img src="${file}" alt="${title}, ${width} px, ${theme}" loading="lazy"></a></td>`;
  });
  return `<tr><th scope="row">${title}</th>${cells.join('')}</tr>`;
}

/** Returns an HTML page that shows all screenshots in a table. */
export function contactSheet(views: readonly View[]): string {
  const head = columns.map(({ theme, width }) => `<th scope="col">${width} px, ${theme}</th>`).join('');
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Coomercio, all views</title>
<style>
  body { margin: 1rem; font: 1rem/1.4 system-ui, sans-serif; background: Canvas; color: CanvasText; color-scheme: light dark }
  table { border-collapse: collapse }
  th { padding: 0.5rem; text-align: left; vertical-align: top }
  td { padding: 0.5rem; vertical-align: top }
  img { display: block; width: 15rem; height: 24rem; object-fit: cover; object-position: top; border: 1px solid GrayText }
</style>
<h1>Coomercio, all views</h1>
<table>
<thead><tr><td></td>${head}</tr></thead>
<tbody>
${views.map(rowOf).join('\n')}
</tbody>
</table>
</html>
`;
}
