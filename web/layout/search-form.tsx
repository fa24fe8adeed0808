import {
  type FocusEvent,
  type ReactNode,
  type RefObject,
  type SubmitEvent,
  useEffect,
  useState,
} from 'react';
import { useNavigate } from 'react-router';
import { lazyPart } from '../ui/lazy-part.tsx';
import { toastOffline } from '../ui/toast.tsx';
import { searchPath } from './search-path.ts';

interface SearchFormProps {
  input: RefObject<HTMLInputElement | null>;
  /** The accessible name of the field. */
  label: string;
  placeholder: string;
  /** The words in the field at first. */
  words: string;
  className: string;
  inputClassName: string;
  /** The submit button. */
  children: ReactNode;
}

const Suggestions = lazyPart(() =>
  import('./search-suggestions.tsx').then((loaded) => loaded.SearchSuggestions),
);

/**
 * A form that searches laptops. It works without scripts. Suggestions are fetched when it gets the focus: pages on which
 * nobody searches do not load them.
 */
export function SearchForm(props: SearchFormProps) {
  const { input, label, placeholder, words, className, inputClassName, children } = props;
  // Each focus renders again, which loads the suggestions again if they could not be loaded.
  const [lastFocus, setLastFocus] = useState<FocusEvent | true | null>(null);
  const navigate = useNavigate();
  /** A submission by the browser would lose the page while it is offline. */
  function search(event: SubmitEvent) {
    // A suggested laptop was opened.
    if (event.defaultPrevented) return;
    event.preventDefault();
    // The search of the present address too, which the router would read again.
    if (!navigator.onLine) toastOffline();
    else void navigate(searchPath(input.current?.value ?? ''));
  }
  useEffect(() => {
    // The field can have the focus, and words, before hydration.
    if (document.activeElement === input.current) setLastFocus(true);
  }, [input]);
  return (
    <form
      action="/laptops"
      method="get"
      className={`relative flex ${className}`}
      onSubmit={search}
      onFocus={setLastFocus}
    >
      <input
        ref={input}
        type="search"
        name="q"
        defaultValue={words}
        aria-label={label}
        placeholder={placeholder}
        maxLength={100}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="search"
        className={`w-full rounded-lg border border-border-strong bg-surface text-base text-foreground placeholder:text-muted [&::-webkit-search-cancel-button]:hidden ${inputClassName}`}
      />
      {children}
      {lastFocus && input.current !== null && <Suggestions input={input.current} />}
    </form>
  );
}
