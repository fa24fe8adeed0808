import { CardElement } from '@stripe/react-stripe-js';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { SmallButton } from '../../../ui/button.tsx';
import { ErrorText } from '../../../ui/error-text.tsx';
import { Skeleton } from '../../../ui/states.tsx';

/** The computed value of a colour token. The card processor's iframe cannot read CSS variables of this page. */
function readTokenColour(token: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(--${token})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

function onThemeChange(listener: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const choice = new MutationObserver(listener);
  system.addEventListener('change', listener);
  choice.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => {
    system.removeEventListener('change', listener);
    choice.disconnect();
  };
}

/** The value of a colour token in the current theme; updates when the theme changes. */
function useTokenColour(token: string): string {
  return useSyncExternalStore(
    onThemeChange,
    () => readTokenColour(token),
    () => '',
  );
}

/** Milliseconds until the card field counts as not loaded. */
const FIELD_TIMEOUT = 20_000;

interface CardFieldProps {
  disabled: boolean;
  /** The card processor's message about the card or the payment. */
  problem: string | null;
  onReadyChange: (ready: boolean) => void;
  /** Called with the card processor's message about the typed values, or null. */
  onProblem: (problem: string | null) => void;
}

/** The card processor's field, an iframe: this page never sees the card's data. */
export function CardField({ disabled, problem, onReadyChange, onProblem }: CardFieldProps) {
  const [loadState, setLoadState] = useState<'loading' | 'ready' | 'failed'>('loading');
  const [attempt, setAttempt] = useState(1);
  const foreground = useTokenColour('foreground');
  const muted = useTokenColour('muted');
  const danger = useTokenColour('danger');
  const surface = useTokenColour('surface');
  const options = useMemo(
    () => ({
      disabled,
      style: {
        base: {
          color: foreground,
          backgroundColor: surface,
          iconColor: muted,
          fontFamily: 'system-ui, sans-serif',
          // iOS zooms into a focused field with a smaller font.
          fontSize: '16px',
          lineHeight: '24px',
          '::placeholder': { color: muted },
        },
        invalid: { color: danger, iconColor: danger },
      },
    }),
    [disabled, foreground, muted, danger, surface],
  );

  useEffect(() => {
    onReadyChange(loadState === 'ready');
    if (loadState !== 'loading') return;
    const limit = setTimeout(() => setLoadState('failed'), FIELD_TIMEOUT);
    return () => clearTimeout(limit);
  }, [loadState, onReadyChange]);

  return (
    <div>
      <label htmlFor="card" className="font-semibold text-sm">
        Card
      </label>
      <div
        className={`relative mt-1.5 rounded-lg border bg-surface px-3.5 py-2.5 has-[.StripeElement--focus]:outline-3 has-[.StripeElement--focus]:outline-accent has-[.StripeElement--focus]:outline-offset-2 ${problem === null ? 'border-border-strong' : 'border-danger'}`}
      >
        {loadState === 'loading' && <Skeleton className="absolute inset-2" />}
        <CardElement
          key={attempt}
          id="card"
          options={options}
          onReady={() => setLoadState('ready')}
          onChange={(event) => onProblem(event.error?.message ?? null)}
          className="min-h-6"
        />
      </div>
      {loadState === 'failed' && (
        <ErrorText className="mt-2 flex flex-wrap items-center gap-3 text-sm">
          The card field does not appear. Please check your connection.
          <SmallButton
            onClick={() => {
              setLoadState('loading');
              setAttempt(attempt + 1);
            }}
          >
            Try again
          </SmallButton>
        </ErrorText>
      )}
      <ErrorText className="mt-2 text-sm empty:hidden">{problem}</ErrorText>
    </div>
  );
}
