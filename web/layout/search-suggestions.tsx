import { type ReactNode, useEffect, useEffectEvent, useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { MAXIMUM_SEARCH_LENGTH, type Suggestions, suggestSearches } from '#contract/listings/search.ts';
import { createClient } from '#contract/platform/client.ts';
import { formatAmount } from '#contract/platform/money.ts';
import { formatCount } from '../formats/counts.ts';
import { laptopUrl } from '../laptops/laptop-url.ts';
import { Photo } from '../ui/photo.tsx';
import { searchPath } from './search-path.ts';

/** A matching laptop among the suggestions: photo, name and price. */
function SuggestedLaptop({ laptop }: { laptop: Suggestions['laptops'][number] }) {
  return (
    <>
      <Photo
        url={laptop.image}
        alt=""
        sizes="3rem"
        eager
        className="size-12 shrink-0 rounded-md object-cover"
      />
      <span className="min-w-0 flex-1 truncate">{laptop.name}</span>
      <span className="figures shrink-0 font-semibold">{formatAmount(laptop.resale_price)}</span>
    </>
  );
}

/** Milliseconds between the last keystroke and the request. */
const DEBOUNCE = 150;
/** Milliseconds after which suggestions are of no use. */
const TIMEOUT = 3_000;
const MINIMUM_LENGTH = 2;
/** Searches above laptops; more would leave no room for these above the keyboard of a phone. */
const MAXIMUM_ABOVE_LAPTOPS = 6;

const none: Suggestions = { suggestions: [], laptops: [] };

const client = createClient({
  base: '/api',
  fetch: (url, init) => fetch(url, init),
  token: () => null,
  timeout: TIMEOUT,
});

/** The suggestions for typed words. The last ones stay until others arrive, as long as the words only become longer. */
function useSuggestions(typed: string): Suggestions {
  const [found, setFound] = useState({ words: '', answer: none });
  const words = typed.trim().slice(0, MAXIMUM_SEARCH_LENGTH);
  const isTooShort = words.length < MINIMUM_LENGTH;
  useEffect(() => {
    if (isTooShort) return;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      client.call(suggestSearches, { query: { q: words }, signal: controller.signal }).then(
        (answer) => setFound({ words, answer }),
        // A search works without suggestions.
        () => undefined,
      );
    }, DEBOUNCE);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [words, isTooShort]);
  return isTooShort || !words.startsWith(found.words) ? none : found.answer;
}

interface Listeners {
  onInput: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
  onBlur: () => void;
  onSubmit: (event: SubmitEvent) => void;
}

/**
 * Listens to an input that exists without this component: replacing it by another would lose the focus, and on phones the
 * keyboard, of a person who is already typing.
 */
function useInputListeners(input: HTMLInputElement, listeners: Listeners): void {
  const onInput = useEffectEvent(listeners.onInput);
  const onKeyDown = useEffectEvent(listeners.onKeyDown);
  const onBlur = useEffectEvent(listeners.onBlur);
  const onSubmit = useEffectEvent(listeners.onSubmit);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    input.addEventListener('input', () => onInput(), { signal });
    input.addEventListener('keydown', (event) => onKeyDown(event), { signal });
    input.addEventListener('blur', () => onBlur(), { signal });
    input.form?.addEventListener('submit', (event) => onSubmit(event), { signal });
    return () => controller.abort();
  }, [input]);
}

/** Makes the input a combobox (WAI-ARIA Authoring Practices, editable combobox with list autocomplete). */
function useComboboxAttributes(
  input: HTMLInputElement,
  list: string,
  active: string | null,
  isOpen: boolean,
) {
  useEffect(() => {
    input.setAttribute('role', 'combobox');
    input.setAttribute('aria-autocomplete', 'list');
    input.setAttribute('aria-expanded', String(isOpen));
    if (isOpen) input.setAttribute('aria-controls', list);
    else input.removeAttribute('aria-controls');
    if (active === null) input.removeAttribute('aria-activedescendant');
    else input.setAttribute('aria-activedescendant', active);
  }, [input, list, active, isOpen]);
}

interface OptionProps {
  id: string;
  /** Whether Enter chooses it. */
  isActive: boolean;
  onChoose: () => void;
  children: ReactNode;
}

/** An entry of the list. The focus stays in the input. */
function Option({ id, isActive, onChoose, children }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the input
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter in the input chooses the active option
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      // Keeps the focus in the input.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
      className="flex min-h-11 cursor-pointer items-center gap-4 px-3.5 py-1 hover:bg-subtle aria-selected:bg-subtle"
    >
      {children}
    </div>
  );
}

/** The suggestions under the search form, as one types: searches, and laptops that match. */
export function SearchSuggestions({ input }: { input: HTMLInputElement }) {
  const id = useId();
  const navigate = useNavigate();
  const [typed, setTyped] = useState(input.value);
  // True when words were typed before this component was loaded.
  const [isWanted, setIsWanted] = useState(input.value !== input.defaultValue);
  const [active, setActive] = useState(-1);
  const { suggestions, laptops } = useSuggestions(typed);
  const searches = laptops.length > 0 ? suggestions.slice(0, MAXIMUM_ABOVE_LAPTOPS) : suggestions;
  const options = searches.length + laptops.length;
  const isOpen = isWanted && options > 0;
  const optionId = (index: number) => `${id}-${index}`;

  function take(words: string) {
    input.value = words;
    setTyped(words);
    close();
  }
  function search(words: string) {
    take(words);
    void navigate(searchPath(words));
  }
  function open(laptop: Suggestions['laptops'][number]) {
    close();
    void navigate(laptopUrl(laptop));
  }
  function close() {
    setIsWanted(false);
    setActive(-1);
  }
  /** Moves through the suggestions; before the first and after the last one is the input. */
  function move(step: 1 | -1) {
    const stops = options + 1;
    setActive(((active + 1 + step + stops) % stops) - 1);
    setIsWanted(true);
  }

  function onKeyDown(event: KeyboardEvent) {
    // An input method uses the same keys to compose a character.
    if (event.isComposing) return;
    if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp') move(-1);
    // The first Escape closes the list, the second one empties the field, as browsers do.
    else if (event.key === 'Escape' && isOpen) close();
    else return;
    event.preventDefault();
  }

  useInputListeners(input, {
    onInput: () => {
      setTyped(input.value);
      setIsWanted(true);
      setActive(-1);
    },
    onKeyDown,
    onBlur: close,
    onSubmit: (event) => {
      const laptop = isOpen ? laptops[active - searches.length] : undefined;
      const chosen = isOpen ? searches[active] : undefined;
      if (laptop !== undefined) {
        event.preventDefault();
        open(laptop);
      }
      // The form searches for the words in the input.
      else take(chosen?.text ?? input.value.trim());
    },
  });
  useComboboxAttributes(input, id, isOpen && active >= 0 ? optionId(active) : null, isOpen);

  return (
    <>
      <p role="status" className="sr-only">
        {isOpen && (options === 1 ? '1 suggestion' : `${options} suggestions`)}
      </p>
      {isOpen && (
        <div
          id={id}
          role="listbox"
          aria-label="Suggestions"
          className="absolute inset-x-0 top-full z-40 mt-1.5 overflow-hidden rounded-lg border border-border bg-surface py-1.5 shadow-raised"
        >
          {searches.map(({ text, count }, index) => (
            <Option key={text} id={optionId(index)} isActive={index === active} onChoose={() => search(text)}>
              <span className="min-w-0 flex-1 truncate">{text}</span>
              <span className="figures shrink-0 text-muted text-sm">
                {formatCount(count)}
                <span className="sr-only"> {count === 1 ? 'laptop' : 'laptops'}</span>
              </span>
            </Option>
          ))}
          {laptops.map((laptop, index) => (
            <Option
              key={laptop._id}
              id={optionId(searches.length + index)}
              isActive={searches.length + index === active}
              onChoose={() => open(laptop)}
            >
              <SuggestedLaptop laptop={laptop} />
            </Option>
          ))}
        </div>
      )}
    </>
  );
}
