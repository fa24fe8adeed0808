import { type ActionDispatch, useEffect, useReducer } from 'react';
import { tryStorage } from '../../ui/browser-storage.ts';
import { type CheckAction, CheckProgress, newProgress, reduceProgress } from './check-progress.ts';

const STORAGE_NAME = 'coomercioCheck';

/** The stored progress, with the code of the address in place of an earlier one. Runs in browsers only. */
function readProgress(): CheckProgress {
  const code = decodeFragment(location.hash);
  const stored = tryStorage(() =>
    CheckProgress.parse(JSON.parse(sessionStorage.getItem(STORAGE_NAME) ?? '')),
  );
  if (stored === null || stored.stage === 'sent') return newProgress(code);
  return code === '' || code === stored.code ? stored : { ...stored, stage: 'code', code };
}

function decodeFragment(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1)).slice(0, 40);
  } catch {
    return '';
  }
}

/** The progress of the check, kept in sessionStorage until it is sent. Use it after hydration only. */
export function useCheckProgress(): [CheckProgress, ActionDispatch<[CheckAction]>] {
  const [progress, dispatch] = useReducer(reduceProgress, null, readProgress);
  useEffect(() => {
    tryStorage(() => sessionStorage.setItem(STORAGE_NAME, JSON.stringify(progress)));
  }, [progress]);
  useEffect(() => {
    // An opened code is stored; in the address it would stay in the browser's history.
    if (progress.stage !== 'code' && location.hash !== '')
      history.replaceState(history.state, '', location.pathname);
  }, [progress.stage]);
  return [progress, dispatch];
}
