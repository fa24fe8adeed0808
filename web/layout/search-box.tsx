import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { Icon } from '../ui/icon.tsx';
import { SearchForm } from './search-form.tsx';

/** The searched words of the results page; empty on other pages. */
function useSearchedWords(): string {
  const { pathname, search } = useLocation();
  return pathname === '/laptops' ? (new URLSearchParams(search).get('q') ?? '') : '';
}

interface SearchBoxProps {
  /** On the home page: below wide screens it is hidden until the hero's search has scrolled away. */
  isHiddenWithHeroSearch: boolean;
}

/** The search form of the navbar. It shows the words of the results page. */
export function SearchBox({ isHiddenWithHeroSearch }: SearchBoxProps) {
  const words = useSearchedWords();
  const input = useRef<HTMLInputElement>(null);
  const shownWords = useRef(words);

  useEffect(() => {
    // Not after hydration, which would remove what was typed before it.
    if (shownWords.current === words) return;
    shownWords.current = words;
    if (input.current !== null) input.current.value = words;
  }, [words]);

  return (
    <search
      className={`order-last w-full pb-2.5 lg:order-none lg:ml-4 lg:w-auto lg:max-w-md lg:flex-1 lg:pb-0 ${isHiddenWithHeroSearch ? 'max-lg:after-hero-search' : ''}`}
    >
      <SearchForm
        input={input}
        label="Search laptops"
        placeholder="Search laptops"
        words={words}
        className=""
        inputClassName="min-h-11 pr-12 pl-3.5"
      >
        <button
          type="submit"
          aria-label="Search"
          className="absolute inset-y-0 right-0 grid w-11 place-items-center rounded-r-lg text-muted hover:text-foreground"
        >
          <Icon name="search" />
        </button>
      </SearchForm>
    </search>
  );
}
