import { useEffect, useEffectEvent, useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { createClient } from '#contract/client.ts';
import { MAXIMUM_SEARCH_LENGTH, suggestSearches } from '#contract/search.ts';
import { formatCount } from '../formats/counts.ts';

/** Milliseconds between the last keystroke and the request. */
const DEBOUNCE = 150;
/** Milliseconds after which suggestions are of no use. */
const TIMEOUT = 3_000;
const MINIMUM_LENGTH = 2;
const MAXIMUM_SUGGESTIONS = 8;

interface Suggestion {
  text: string;
  count: number;
}

const none: readonly Suggestion[] = [];

const client = createClient({
  base: '/api',
  fetch: (url, init) => fetch(url, init),
  token: () => null,
  timeout: TIMEOUT,
});

/** The suggestions for typed words. The last ones stay until others arrive, as long as the words only become longer. */
function useSuggestions(typed: string): readonly Suggestion[] {
  const [found, setFound] = useState({ words: '', suggestions: none });
  const words = typed.trim().slice(0, MAXIMUM_SEARCH_LENGTH);
  const isTooShort = words.length < MINIMUM_LENGTH;
  useEffect(() => {
    if (isTooShort) return;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      client.call(suggestSearches, { query: { q: words }, signal: controller.signal }).then(
        ({ suggestions }) => setFound({ words, suggestions: suggestions.slice(0, MAXIMUM_SUGGESTIONS) }),
        // A search works without suggestions.
        () => undefined,
      );
    }, DEBOUNCE);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [words, isTooShort]);
  return isTooShort || !words.startsWith(found.words) ? none : found.suggestions;
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

/** The suggestions under the search form, as one types. */
export function SearchSuggestions({ input }: { input: HTMLInputElement }) {
  const id = useId();
  const navigate = useNavigate();
  const [typed, setTyped] = useState(input.value);
  // True when words were typed before this component was loaded.
  const [isWanted, setIsWanted] = useState(input.value !== input.defaultValue);
  const [active, setActive] = useState(-1);
  const suggestions = useSuggestions(typed);
  const isOpen = isWanted && suggestions.length > 0;
  const optionId = (index: number) => `${id}-${index}`;

  function search(words: string) {
    input.value = words;
    setTyped(words);
    close();
    void navigate(words === '' ? '/laptops' : `/laptops?${new URLSearchParams({ q: words })}`);
  }
  function close() {
    setIsWanted(false);
    setActive(-1);
  }
  /** Moves through the suggestions; before the first and after the last one is the input. */
  function move(step: 1 | -1) {
    const stops = suggestions.length + 1;
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
      event.preventDefault();
      const chosen = isOpen ? suggestions[active] : undefined;
      search(chosen?.text ?? input.value.trim());
    },
  });
  useComboboxAttributes(input, id, isOpen && active >= 0 ? optionId(active) : null, isOpen);

  return (
    <>
      <p role="status" className="sr-only">
        {isOpen && (suggestions.length === 1 ? '1 suggestion' : `${suggestions.length} suggestions`)}
      </p>
      {isOpen && (
        <div
          id={id}
          role="listbox"
          aria-label="Suggestions"
          className="absolute inset-x-0 top-full z-40 mt-1.5 overflow-hidden rounded-lg border border-line bg-surface py-1.5 shadow-raised"
        >
          {suggestions.map(({ text, count }, index) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the input
            // biome-ignore lint/a11y/useKeyWithClickEvents: Enter in the input chooses the active option
            <div
              key={text}
              id={optionId(index)}
              role="option"
              aria-selected={index === active}
              // Keeps the focus in the input.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => search(text)}
              className="flex min-h-11 cursor-pointer items-center justify-between gap-4 px-3.5 hover:bg-sunken aria-selected:bg-sunken"
            >
              <span className="truncate">{text}</span>
              <span className="figures shrink-0 text-quiet text-sm">
                {formatCount(count)}
                <span className="sr-only"> laptops</span>
              </span>
            </div>
          ))}
        </div>
      )}
    </>
  );
}
