import { Button } from '../../ui/button.tsx';

function LoadFailed() {
  return (
    <span className="flex flex-wrap items-center gap-3">
      This part of the page could not be loaded.
      <Button variant="secondary" size="small" onClick={() => location.reload()}>
        Reload the page
      </Button>
    </span>
  );
}

const failed = { SellerPhone: LoadFailed, BuyActions: LoadFailed, ReportAction: LoadFailed };

/** Loads what only signed-in people see. Visitors never fetch it. */
export async function loadSignedIn() {
  try {
    return await import('./signed-in.tsx');
  } catch {
    return failed;
  }
}
