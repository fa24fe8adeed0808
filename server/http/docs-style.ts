/**
 * The style sheet of the API reference. Its colours are copied from `web/ui/tokens.css`: the built style sheet has a hashed
 * file name, which the server does not know. A test compares both.
 */
export const docsStyle = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#faf6ef, #171310);
  --surface: light-dark(#fffdf9, #211c17);
  --sunken: light-dark(#f1eadf, #100d0a);
  --ink: light-dark(#221b14, #f3ece2);
  --quiet: light-dark(#655a4e, #b8ab9b);
  --line: light-dark(#e2d8c8, #3a322a);
  --aubergine: light-dark(#6d3a9c, #cba8ec);
  --leaf: light-dark(#2a6b3d, #85cf98);
  --amber: light-dark(#8a4b00, #ffb45e);
  --red: light-dark(#b3261e, #ff9c90);
}
* { box-sizing: border-box; margin: 0; padding: 0; }
html { background: var(--paper); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif; scroll-padding-top: 1rem; }
body { max-width: 80rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
h1, h2, h3, h4 { line-height: 1.2; text-wrap: balance; }
h1 { font-size: clamp(2rem, 1.5rem + 2vw, 3rem); margin-top: 1.5rem; }
h2 { font-size: 1.75rem; margin-top: 3.5rem; padding-top: 2rem; border-top: 1px solid var(--line); }
h3 { display: flex; flex-wrap: wrap; align-items: center; gap: .625rem; font-size: 1rem; }
h4 { font-size: .9375rem; margin-top: 1.25rem; }
p { margin-top: .5rem; max-width: 44rem; }
a { color: var(--aubergine); text-underline-offset: .2em; }
p > a, td > a { text-decoration: underline; }
nav a, h3 a { text-decoration: none; }
nav a:hover, h3 a:hover { text-decoration: underline; }
:focus-visible { outline: 3px solid var(--aubergine); outline-offset: 2px; }
code { font-family: ui-monospace, "Cascadia Code", "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: .9em; overflow-wrap: anywhere; }
.quiet { color: var(--quiet); }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; }
.columns { display: grid; grid-template-columns: minmax(0, 1fr); gap: 2rem 3rem; }
nav h2 { font-size: 1rem; margin: 1.25rem 0 0; padding: 0; border: 0; }
nav ul { list-style: none; columns: 14rem; }
nav li { padding: .125rem 0; break-inside: avoid; }
nav a { display: inline-block; min-height: 1.5rem; min-width: 1.5rem; }
article { margin-top: 1.25rem; border: 1px solid var(--line); border-radius: .75rem; background: var(--surface); padding: 1.25rem; scroll-margin-top: 1rem; }
.method { border-radius: .375rem; border: 1px solid currentColor; padding: .0625rem .5rem; font: 700 .8125rem/1.5 ui-monospace, Menlo, Consolas, monospace; }
.get { color: var(--leaf); }
.post { color: var(--aubergine); }
.put { color: var(--amber); }
.delete { color: var(--red); }
.scroll { overflow-x: auto; margin-top: .5rem; }
table { border-collapse: collapse; min-width: 100%; font-size: .9375rem; }
th, td { border-bottom: 1px solid var(--line); padding: .375rem 1.25rem .375rem 0; text-align: start; vertical-align: top; }
th { font-weight: 600; }
th code { overflow-wrap: normal; white-space: nowrap; }
thead th { color: var(--quiet); font-size: .875rem; }
@media (width >= 64rem) {
  body { padding-inline: 2rem; }
  .columns { grid-template-columns: 15rem minmax(0, 1fr); }
  nav { position: sticky; top: 1rem; max-height: calc(100vh - 2rem); overflow-y: auto; align-self: start; margin-top: 2rem; padding: .25rem; }
  nav ul { columns: auto; }
}
`;
