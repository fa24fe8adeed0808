import { SecondaryButton } from '../ui/button.tsx';

/** Opens the browser's print dialog, which can also save a PDF file. */
export function PrintButton() {
  return <SecondaryButton onClick={() => window.print()}>Print or save as PDF</SecondaryButton>;
}
