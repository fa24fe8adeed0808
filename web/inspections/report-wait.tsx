import { useEffect, useState } from 'react';
import { DateTime } from '../formats/date-time.tsx';

interface ReportWaitProps {
  /** When the code expires, ISO 8601. */
  expiresAt: string;
  /** Whether the report came since the code was given. */
  hasArrived: boolean;
}

/** Says until when the page waits for a report, and how the wait ended. */
export function ReportWait({ expiresAt, hasArrived }: ReportWaitProps) {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    setOver(false);
    const timer = setTimeout(() => setOver(true), Math.max(0, Date.parse(expiresAt) - Date.now()));
    return () => clearTimeout(timer);
  }, [expiresAt]);
  return (
    <p role="status" className="mt-1 max-w-prose font-semibold">
      {hasArrived ? (
        'The report has arrived.'
      ) : isOver ? (
        'The code has expired, and no report came. Get another code to go on.'
      ) : (
        <>
          Waiting for the report until <DateTime at={expiresAt} />. This page shows it within seconds, also
          when you come back to it.
        </>
      )}
    </p>
  );
}
