import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { Icon } from '../ui/icon.tsx';
import { useLazyComponent } from '../ui/use-lazy-component.ts';

/** The searched words of the results page; empty on other pages. */
function useSearchedWords(): string {
  const { pathname, search } = useLocation();
  return pathname === '/laptops' ? (new URLSearchParams(search).get('q') ?? '') : '';
}

/**
 * The search form of the navbar. It works without scripts. Suggestions are fetched when it gets the focus: pages on which
 * nobody searches do not load them.
 */
export function SearchBox() {
  const words = useSearchedWords();
  const input = useRef<HTMLInputElement>(null);
  const [hasFocus, setHasFocus] = useState(false);
  const Suggestions = useLazyComponent(hasFocus, async () => {
    const { SearchSuggestions } = await import('./search-suggestions.tsx');
    return SearchSuggestions;
  });

  const shownWords = useRef(words);

  useEffect(() => {
    // Not after hydration, which would remove what was typed before it.
    if (shownWords.current === words) return;
    shownWords.current = words;
    if (input.current !== null) input.current.value = words;
  }, [words]);

  return (
    <search className="order-last w-full pb-2.5 lg:order-none lg:ml-4 lg:w-auto lg:max-w-md lg:flex-1 lg:pb-0">
      <form
        action="/laptops"
        method="get"
        className="relative flex"
        onFocus={() => setHasFocus(true)}
        onBlur={() => setHasFocus(false)}
      >
        <input
          ref={input}
          type="search"
          name="q"
          defaultValue={words}
          aria-label="Search laptops"
          placeholder="Search laptops"
          maxLength={100}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="search"
          className="min-h-11 w-full rounded-lg border border-edge bg-surface pr-12 pl-3.5 text-base text-ink placeholder:text-quiet [&::-webkit-search-cancel-button]:hidden"
        />
        <button
          type="submit"
          aria-label="Search"
          className="absolute inset-y-0 right-0 grid w-11 place-items-center rounded-r-lg text-quiet hover:text-ink"
        >
          <Icon d="M9 3.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11M13 13l4 4" className="size-5" />
        </button>
        {Suggestions !== null && input.current !== null && <Suggestions input={input.current} />}
      </form>
    </search>
  );
}
