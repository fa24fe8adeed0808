interface ProgressBarProps {
  /** The accessible name. */
  label: string;
  /** Progress in per cent. Left out: indeterminate. */
  value?: number;
  className?: string;
}

/** A determinate or indeterminate progress bar. */
export function ProgressBar({ label, value, className }: ProgressBarProps) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      {...(value !== undefined && { 'aria-valuenow': Math.round(value) })}
      className={`h-1 w-full overflow-hidden bg-subtle ${className ?? ''}`}
    >
      {value === undefined ? (
        <div className="h-full w-1/3 animate-[run-along_1.2s_ease-in-out_infinite] bg-primary motion-reduce:w-full" />
      ) : (
        <div
          className="h-full origin-left bg-primary transition-transform duration-150"
          style={{ transform: `scaleX(${value / 100})` }}
        />
      )}
    </div>
  );
}
