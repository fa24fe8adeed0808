import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type PushState, readPushState, startPush, stopPush } from '../../../notifications/push.ts';
import { errorMessage } from '../../../requests/error-message.ts';
import { useApi } from '../../../session/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { Skeleton } from '../../../ui/states.tsx';
import { toast } from '../../../ui/toast.tsx';

const stateKey = ['pushState'];

/** A message for a failed subscription. The browser's own errors are not for people. */
const pushError = (error: unknown): string =>
  error instanceof DOMException
    ? 'Your browser could not reach its push service, so nothing was turned on. Please check your connection and try again.'
    : errorMessage(error);

const explanations: Readonly<Record<PushState, string>> = {
  unsupported:
    'This browser cannot show notifications of this shop while its pages are closed. On an iPhone or iPad, add the shop to the home screen first.',
  denied:
    'Notifications of this shop are blocked in this browser. Allow them in the browser’s settings for this page, then reload it.',
  off: 'Notifications can appear on this device when the shop’s pages are closed. The browser asks you first.',
  on: 'Notifications appear on this device when the shop’s pages are closed, until you turn them off or sign out.',
};

/** Turns push messages to this browser on and off, and explains when that is not possible. */
export function PushSetting({ pushKey }: { pushKey: string }) {
  const api = useApi();
  const cache = useQueryClient();
  const { data: state } = useQuery({ queryKey: stateKey, queryFn: readPushState, staleTime: 0 });
  const onSettled = () => cache.invalidateQueries({ queryKey: stateKey });
  const turnOn = useMutation({
    mutationFn: () => startPush(api, pushKey),
    onSuccess: (reached) => {
      if (reached === 'on') toast.success('This browser shows your notifications.');
    },
    onError: (error) => toast.error(pushError(error)),
    onSettled,
  });
  const turnOff = useMutation({
    mutationFn: () => stopPush(api),
    onSuccess: () => toast.success('This browser shows no more notifications.'),
    onError: (error) => toast.error(errorMessage(error)),
    onSettled,
  });
  if (state === undefined) return <Skeleton className="h-11 w-64" />;
  return (
    <>
      <p className="max-w-prose text-muted">{explanations[state]}</p>
      {state === 'off' && (
        <Button variant="secondary" busy={turnOn.isPending && 'Turning on'} onClick={() => turnOn.mutate()}>
          Notify me in this browser
        </Button>
      )}
      {state === 'on' && (
        <Button
          variant="secondary"
          busy={turnOff.isPending && 'Turning off'}
          onClick={() => turnOff.mutate()}
        >
          Turn off in this browser
        </Button>
      )}
    </>
  );
}
