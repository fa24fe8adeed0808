import { type ReactNode, useEffect, useRef } from 'react';
import { Form, useSearchParams } from 'react-router';
import { Field, TextInput } from '../ui/field.tsx';

/** Milliseconds between the last keystroke and the search. */
const DEBOUNCE = 300;

interface ListSearchProps {
  label: string;
  /** What the URL has under `search`; empty without one. */
  search: string;
  /** In characters. */
  maxLength: number;
  /** Other controls of the list, beside the field; they submit after a change. */
  children?: (submit: () => void) => ReactNode;
}

/** The search field of a list. The URL has what is typed, so that it survives a reload and works with the back button. */
export function ListSearch({ label, search, maxLength, children }: ListSearchProps) {
  const [parameters] = useSearchParams();
  const form = useRef<HTMLFormElement>(null);
  const field = useRef<HTMLInputElement>(null);
  /** Runs while what was typed is not in the URL yet. */
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const stopTimer = () => {
    clearTimeout(timer.current);
    timer.current = undefined;
  };
  const submit = () => form.current?.requestSubmit();
  useEffect(() => {
    // Follows a change of the URL from elsewhere, but not while something is being typed.
    const input = field.current;
    if (input !== null && timer.current === undefined && input.value.trim() !== search) input.value = search;
  }, [search]);
  return (
    <search className="mb-5">
      <Form
        ref={form}
        replace
        preventScrollReset
        className={children === undefined ? undefined : 'grid gap-4 sm:grid-cols-[1fr_12rem]'}
        onSubmit={(event) => {
          stopTimer();
          const typed = new FormData(event.currentTarget);
          // A navigation to the same URL would load the whole page again.
          if ([...typed].every(([name, value]) => String(value).trim() === (parameters.get(name) ?? '')))
            event.preventDefault();
        }}
      >
        <Field label={label}>
          <TextInput
            ref={field}
            type="search"
            name="search"
            defaultValue={search}
            maxLength={maxLength}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            enterKeyHint="search"
            onChange={() => {
              stopTimer();
              timer.current = setTimeout(submit, DEBOUNCE);
            }}
          />
        </Field>
        {children?.(submit)}
      </Form>
    </search>
  );
}
