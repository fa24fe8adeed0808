import { type LabelPaper, type Manifest, printLabels, printManifest } from '#contract/sales/labels.ts';
import { WriteButton } from '../forms/write-button.tsx';
import { useWrite } from '../requests/use-write.ts';
import { Button } from '../ui/button.tsx';
import { downloadFile } from '../ui/download-file.ts';

const names: Record<LabelPaper, string> = { '4x6': 'Label printer, 4 × 6 in', A4: 'Paper, A4' };

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));

const downloadPdf = (name: string, pdf: string) =>
  downloadFile(`${name}.pdf`, { text: bytesOf(pdf), type: 'application/pdf' });

/** Buttons that download labels as a PDF: one, or all that were not printed yet. */
export function PrintLabels({ label }: { label?: string }) {
  const print = useWrite(printLabels, {
    onSuccess: ({ pdf, labels }, { body: { paper } }) =>
      downloadPdf(`${labels === 1 ? 'label' : `${labels}-labels`}-${paper}`, pdf),
  });
  const send = (paper: LabelPaper) =>
    print.mutate({ body: { paper, ...(label !== undefined && { label }) } });
  return (
    <div className="flex flex-wrap gap-3">
      {(['4x6', 'A4'] as const).map((paper) => (
        <Button
          key={paper}
          variant={paper === '4x6' ? 'primary' : 'secondary'}
          busy={print.isPending && print.variables.body.paper === paper && 'Preparing the label'}
          disabled={print.isPending}
          onClick={() => send(paper)}
        >
          {names[paper]}
        </Button>
      ))}
    </div>
  );
}

/** A button that downloads the sheet which a carrier scans for several parcels. */
export function PrintManifest({ manifest: { carrier, labels, isMade } }: { manifest: Manifest }) {
  const parcels = labels.length === 1 ? '1 parcel' : `${labels.length} parcels`;
  return (
    <WriteButton
      endpoint={printManifest}
      input={{ body: { labels } }}
      onSuccess={({ pdf }) => downloadPdf(`${carrier}-${labels.length}-parcels`, pdf)}
      size="regular"
      className="self-start"
      busy="Preparing the sheet"
    >
      {`${parcels} of ${carrier}${isMade ? ', once more' : ''}`}
    </WriteButton>
  );
}
