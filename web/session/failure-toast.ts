import { toast } from '../ui/toast.tsx';
import { useSessionStore } from './session.tsx';

/**
 * Answers a function that shows a failure whose form is gone. Nothing is shown after the session ended: the login page
 * gives the reason.
 */
export function useFailureToast(): (message: string) => void {
  const store = useSessionStore();
  return (message) => {
    if (store.read().status === 'signed-in') toast.error(message);
  };
}
