import { Button } from '../ui/button.tsx';

/** Opens the browser's print dialog, which can also save a PDF file. */
export function PrintButton() {
  return (
    <Button variant="secondary" onClick={() => window.print()}>
      Print or save as PDF
    </Button>
  );
}
