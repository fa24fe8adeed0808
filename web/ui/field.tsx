import { type ComponentProps, createContext, type ReactNode, use, useId, useState } from 'react';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { Icon } from './icon.tsx';
import { Notice } from './notice.tsx';
import { useHydrated } from './use-hydrated.ts';

/** The attributes that a field gives to its control. */
const ControlContext = createContext<
  Pick<ComponentProps<'input'>, 'id' | 'aria-describedby' | 'aria-invalid'> & Partial<UseFormRegisterReturn>
>({});

interface FieldProps {
  label: string;
  /** The validation message. Screen readers announce it when it appears. */
  error?: string | undefined;
  /** The attributes by which its form knows the control. */
  control?: UseFormRegisterReturn;
  /** Help text under the control. */
  hint?: ReactNode;
  optional?: boolean;
  className?: string;
  children: ReactNode;
}

/** A control with label, hint and error. The control takes its id, its name and its ARIA attributes from the context. */
export function Field({ label, error, control, hint, optional = false, className, children }: FieldProps) {
  const id = useId();
  const describedBy = [error !== undefined && `${id}-error`, hint !== undefined && `${id}-hint`];
  return (
    <div className={`flex flex-col gap-1.5 ${className ?? ''}`}>
      <label htmlFor={id} className="font-semibold text-sm">
        {label}
        {optional && <span className="font-normal text-muted"> (optional)</span>}
      </label>
      <ControlContext
        value={{
          ...control,
          id,
          'aria-describedby': describedBy.filter(Boolean).join(' ') || undefined,
          'aria-invalid': error !== undefined || undefined,
        }}
      >
        {children}
      </ControlContext>
      <p id={`${id}-error`} role="alert" className="text-danger text-sm empty:hidden">
        {error}
      </p>
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-muted text-sm">
          {hint}
        </p>
      )}
    </div>
  );
}

/** The error message under a form. */
export function FormFailure({ message }: { message: string | null }) {
  return (
    <Notice tone="problem" role="alert" className="text-danger empty:hidden">
      {message}
    </Notice>
  );
}

const control =
  'w-full rounded-lg border border-border-strong bg-surface px-3.5 py-2.5 text-base text-foreground placeholder:text-muted aria-invalid:border-danger disabled:opacity-60';
// A read-only field looks like text. By the attribute: disabled fields match :read-only as well.
const typed = `${control} [&[readonly]]:border-transparent [&[readonly]]:bg-transparent [&[readonly]]:px-0`;

export function TextInput({ className, ...rest }: ComponentProps<'input'>) {
  return (
    <input
      type="text"
      {...use(ControlContext)}
      {...rest}
      className={`${typed} min-h-11 ${className ?? ''}`}
    />
  );
}

interface AmountInputProps extends Omit<ComponentProps<'input'>, 'className'> {
  /** The sign of the currency, such as `$` or `CHF`. */
  sign: string;
  /** What the typed text means, when it can be read in another way. */
  understood: string | undefined;
}

/** A text input for an amount of money. */
export function AmountInput({ sign, understood, ...rest }: AmountInputProps) {
  return (
    <span className="block">
      <span className="relative block">
        <span
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 left-3.5 -translate-y-1/2 text-muted"
        >
          {sign}
        </span>
        <TextInput
          inputMode="decimal"
          autoComplete="off"
          {...rest}
          className={`figures ${sign.length > 1 ? 'pl-14' : 'pl-8'}`}
        />
      </span>
      {/* Below the input: beside the typed amount there is no room for it with large text on a phone. */}
      <span role="status" className="figures mt-1.5 block text-muted text-sm empty:mt-0">
        {understood !== undefined && `= ${understood}`}
      </span>
    </span>
  );
}

/** A text input for an email address. */
export function EmailInput(props: ComponentProps<'input'>) {
  return (
    <TextInput
      type="email"
      inputMode="email"
      autoComplete="email"
      autoCapitalize="none"
      spellCheck={false}
      {...props}
    />
  );
}

export function TextArea({ className, ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea
      rows={4}
      {...use(ControlContext)}
      {...rest}
      className={`${typed} resize-y ${className ?? ''}`}
    />
  );
}

/** A select element; its options are the children. */
export function Select({ className, children, ...rest }: ComponentProps<'select'>) {
  return (
    <span className="relative block">
      <select
        {...use(ControlContext)}
        {...rest}
        className={`${control} min-h-11 appearance-none pr-10 ${className ?? ''}`}
      >
        {children}
      </select>
      <Icon
        name="chevronDown"
        className="pointer-events-none absolute top-1/2 right-3 size-5 -translate-y-1/2 text-muted"
      />
    </span>
  );
}

interface FileInputProps extends Omit<ComponentProps<'input'>, 'type' | 'onChange'> {
  onFiles: (files: File[]) => void;
}

/** Takes files; the same ones again, too, after they were removed elsewhere. */
export function FileInput({ onFiles, ...rest }: FileInputProps) {
  return (
    <input
      {...use(ControlContext)}
      {...rest}
      type="file"
      onChange={({ target }) => {
        const files = [...(target.files ?? [])];
        target.value = '';
        if (files.length > 0) onFiles(files);
      }}
    />
  );
}

interface OptionsProps<Value extends string> {
  values: readonly Value[];
  /** Left out: the value itself. */
  label?: (value: Value) => ReactNode;
}

/** The options of a {@link Select}. */
export function Options<Value extends string>({ values, label = (value) => value }: OptionsProps<Value>) {
  return values.map((value) => (
    <option key={value} value={value}>
      {label(value)}
    </option>
  ));
}

/** A password input with a button that shows its value, in the input or below it, where large text leaves no room. */
export function PasswordInput({ className, ...rest }: Omit<ComponentProps<'input'>, 'type'>) {
  const [shown, setShown] = useState(false);
  const hydrated = useHydrated();
  return (
    <span className="@container relative block">
      <input
        {...use(ControlContext)}
        {...rest}
        type={shown ? 'text' : 'password'}
        autoCapitalize="none"
        spellCheck={false}
        className={`${control} min-h-11 pr-20 @max-[12rem]:pr-3.5 ${className ?? ''}`}
      />
      <button
        type="button"
        disabled={!hydrated}
        aria-label={shown ? 'Hide the password' : 'Show the password'}
        onClick={() => setShown(!shown)}
        className="absolute top-1/2 right-1.5 min-h-8 -translate-y-1/2 @max-[12rem]:static @max-[12rem]:translate-y-0 rounded-md px-3 font-semibold text-link text-sm hover:bg-accent-soft"
      >
        {shown ? 'Hide' : 'Show'}
      </button>
    </span>
  );
}
