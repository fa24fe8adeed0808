interface ProgressBarProps {
  /** What is under way, for those who cannot see the bar. */
  label: string;
  /** Per cent done; left out when nobody can know. */
  value?: number;
  className?: string;
}

/** A thin bar for work under way: filled to a per cent, or running along when no per cent is known. */
export function ProgressBar({ label, value, className }: ProgressBarProps) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      {...(value !== undefined && { 'aria-valuenow': Math.round(value) })}
      className={`h-1 w-full overflow-hidden bg-sunken ${className ?? ''}`}
    >
      {value === undefined ? (
        <div className="h-full w-1/3 animate-[run-along_1.2s_ease-in-out_infinite] bg-orange motion-reduce:w-full" />
      ) : (
        <div
          className="h-full origin-left bg-orange transition-transform duration-150"
          style={{ transform: `scaleX(${value / 100})` }}
        />
      )}
    </div>
  );
}
