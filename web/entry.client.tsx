import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { setCurrency } from '#contract/platform/money.ts';

// When a navigation replaces one whose data is still arriving, React Router aborts the response and leaves rejected promises
// unhandled. An abort is intended, so it is not an error to report.
addEventListener('unhandledrejection', (event) => {
  if (event.reason instanceof DOMException && event.reason.name === 'AbortError') event.preventDefault();
});

const { currency } = document.documentElement.dataset;
if (currency !== undefined) setCurrency(JSON.parse(currency));

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  );
});
