import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { SmallButton } from '../ui/button.tsx';

/** The code that the seller writes on a slip of paper; before it is known, how to request it. */
export type SlipCode =
  | { code: string }
  | {
      code: null;
      isLoading: boolean;
      /** @throws Problem */
      request: () => Promise<void>;
    };

function RequestButton({ slip, onRequest }: { slip: SlipCode & { code: null }; onRequest: () => void }) {
  const request = useMutation({ mutationFn: slip.request });
  return (
    <>
      <SmallButton
        busy={(slip.isLoading || request.isPending) && 'Getting the code'}
        onClick={() => {
          onRequest();
          request.mutate();
        }}
        // Above the input that covers the shot.
        className="relative z-1 mt-1.5"
      >
        Get a code for the slip
      </SmallButton>
      {request.isError && (
        <span role="alert" className="mt-1.5 block text-danger">
          There is no code yet. {request.error.message}
        </span>
      )}
    </>
  );
}

/** The slip's code, or a button that requests it. */
export function SlipCodeNote({ slip }: { slip: SlipCode }) {
  const wasRequested = useRef(false);
  const note = useRef<HTMLSpanElement>(null);
  const { code } = slip;
  useEffect(() => {
    // The focused button is replaced by the code.
    if (code !== null && wasRequested.current && document.activeElement === document.body)
      note.current?.focus();
  }, [code]);
  if (slip.code === null) {
    return (
      <RequestButton
        slip={slip}
        onRequest={() => {
          wasRequested.current = true;
        }}
      />
    );
  }
  return (
    <span ref={note} tabIndex={-1} className="block text-muted">
      Write on it: <strong className="figures text-foreground text-lg tracking-widest">{slip.code}</strong>
    </span>
  );
}
