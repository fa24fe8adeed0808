import type { ListingChange } from '#contract/certification/inspection-queue.ts';

function Value({ text }: { text: string }) {
  return text === '' ? (
    <span className="text-muted">nothing</span>
  ) : (
    <span className="whitespace-pre-line wrap-anywhere">{text}</span>
  );
}

/** Fields with their texts before and after a change. */
export function ChangeList({ changes }: { changes: readonly ListingChange[] }) {
  return (
    <dl className="flex flex-col gap-4">
      {changes.map(({ field, before, after }) => (
        <div key={field}>
          <dt className="font-semibold">{field}</dt>
          <dd>
            <span className="text-muted">before: </span>
            <Value text={before} />
          </dd>
          <dd>
            <span className="text-muted">now: </span>
            <Value text={after} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
