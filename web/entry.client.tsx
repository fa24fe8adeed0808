import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { setDeadlines } from '#contract/platform/deadlines.ts';
import { setCurrency } from '#contract/platform/money.ts';

// When a navigation replaces one whose data is still arriving, React Router aborts the response and leaves rejected promises
// unhandled. An abort is intended, so it is not an error to report.
addEventListener('unhandledrejection', (event) => {
  if (event.reason instanceof DOMException && event.reason.name === 'AbortError') event.preventDefault();
});

const { terms } = document.documentElement.dataset;
if (terms !== undefined) {
  const { currency, deadlines } = JSON.parse(terms);
  setCurrency(currency);
  setDeadlines(deadlines);
}

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  );
});
