import { SmallButton } from '../ui/button.tsx';

/** Opens the browser's print dialog, which can also save a PDF file. */
export function PrintButton() {
  return <SmallButton onClick={() => window.print()}>Print or save as PDF</SmallButton>;
}
