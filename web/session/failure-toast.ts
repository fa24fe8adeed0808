import { toast } from '../ui/toast.tsx';
import { useSessionActions } from './session.tsx';

/**
 * Returns what tells of a failure after its form has gone. Where it has gone because the session ended, the login page
 * says so, and a toast would say it twice.
 */
export function useFailureToast(): (sentence: string) => void {
  const store = useSessionActions();
  return (sentence) => {
    if (store.read().status === 'signed-in') toast.error(sentence);
  };
}
