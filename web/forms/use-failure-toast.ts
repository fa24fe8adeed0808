import { useSessionStore } from '../session/session.tsx';
import { toast } from '../ui/toast.tsx';

/**
 * Returns a function that shows a failure after its form was unmounted. Nothing is shown after the session ended: the login page
 * gives the reason.
 */
export function useFailureToast(): (message: string) => void {
  const store = useSessionStore();
  return (message) => {
    if (store.read().status === 'signed-in') toast.error(message);
  };
}
