import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { AlertDialog } from '../ui/dialog.tsx';
import { toast } from '../ui/toast.tsx';
import { useMounted } from '../ui/use-mounted.ts';

interface RowActionProps {
  /** What the button says, and what it says while its work is under way. */
  label: string;
  busyLabel: string;
  /** What it is done to, for those who hear the button without its row. */
  name: string;
  look: 'primary' | 'secondary';
  /** Does it on the server. @throws Problem */
  act: () => Promise<unknown>;
  /** Asks the server for the list again. */
  refresh: () => Promise<void>;
  /** What is said once it is done. */
  done: { title: string; message: string };
  /** What stands instead of the button when there is nothing to do; undefined when there is. */
  children: ReactNode;
}

/** Does something to a row and says so in a dialog; the row changes once the server has answered. */
export function RowAction({ label, busyLabel, name, look, act, refresh, done, children }: RowActionProps) {
  const [isSaid, setIsSaid] = useState(false);
  const place = useRef<HTMLSpanElement>(null);
  const isMounted = useMounted();
  const action = useMutation({
    mutationFn: act,
    onSuccess: () => {
      if (isMounted()) setIsSaid(true);
      else toast.success(done.message);
      return refresh();
    },
    onError: (error) => {
      toast.error(error.message);
      return refresh();
    },
  });
  return (
    <>
      {/* Takes the focus back when the button has gone. */}
      <span ref={place} tabIndex={-1}>
        {children ?? (
          <Button
            look={look}
            size="small"
            aria-label={`${label} ${name}`}
            busy={action.isPending && busyLabel}
            onClick={() => action.mutate()}
          >
            {label}
          </Button>
        )}
      </span>
      <AlertDialog
        open={isSaid}
        onClose={() => setIsSaid(false)}
        finalFocus={() => place.current}
        {...done}
      />
    </>
  );
}
