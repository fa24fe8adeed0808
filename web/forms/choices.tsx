import { useEffect, useId, useRef } from 'react';
import { Radio } from '../ui/choice.tsx';

interface ChoicesProps<Name extends string> {
  legend: string;
  /** The value of the form that is chosen, where the form shows its errors. */
  name?: string;
  choices: readonly {
    name: Name;
    label: string;
    consequence: string;
    /** Without a frame, for what few people choose. */
    isQuiet?: boolean;
  }[];
  chosen: Name | null;
  disabled?: boolean;
  error?: string | undefined;
  /** Classes of the list, for choices beside each other. */
  className?: string;
  onChoose: (name: Name) => void;
}

/** Radio buttons, each with what it does. An error moves the focus to the first. */
export function Choices<Name extends string>(props: ChoicesProps<Name>) {
  const {
    legend,
    name: field,
    choices,
    chosen,
    disabled = false,
    error,
    className = 'flex flex-col gap-2',
    onChoose,
  } = props;
  const id = useId();
  const group = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    if (error !== undefined) group.current?.querySelector('input')?.focus();
  }, [error]);
  return (
    <fieldset ref={group} name={field} aria-describedby={`${id}-error`} className={className}>
      <legend className="mb-2 font-semibold">{legend}</legend>
      {choices.map(({ name, label, consequence, isQuiet = false }) => (
        <label
          key={name}
          className={`flex cursor-pointer flex-wrap items-start gap-x-3 gap-y-1 rounded-lg border p-3.5 hover:bg-subtle has-checked:border-accent has-checked:bg-accent-soft ${isQuiet ? 'border-transparent text-muted' : 'border-border'}`}
        >
          <Radio
            name={id}
            value={name}
            checked={chosen === name}
            disabled={disabled}
            aria-describedby={consequence === '' ? undefined : `${id}-${name}`}
            aria-labelledby={`${id}-${name}-label`}
            onChange={() => onChoose(name)}
          />
          {/* Below the button where large text has no room beside it. */}
          <span className="min-w-0 flex-1 basis-[7rem]">
            <span
              id={`${id}-${name}-label`}
              className={`block wrap-anywhere ${isQuiet ? '' : 'font-semibold'}`}
            >
              {label}
            </span>
            {consequence !== '' && (
              <span id={`${id}-${name}`} className="block max-w-prose text-sm">
                {consequence}
              </span>
            )}
          </span>
        </label>
      ))}
      <p id={`${id}-error`} role="alert" className="text-danger text-sm empty:hidden">
        {error}
      </p>
    </fieldset>
  );
}
