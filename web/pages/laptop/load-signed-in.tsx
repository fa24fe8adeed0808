import { SmallButton } from '../../ui/button.tsx';

function LoadFailed() {
  return (
    <span className="flex flex-wrap items-center gap-3">
      This part of the page could not be loaded.
      <SmallButton onClick={() => location.reload()}>Reload the page</SmallButton>
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
