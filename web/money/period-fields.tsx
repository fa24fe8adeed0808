import { today } from '../formats/shop-days.ts';
import { Field, TextInput } from '../ui/field.tsx';

/** The first and the last day of a period. */
export interface Period {
  from: string;
  until: string;
}

/** From the first of the month until today. */
export function thisMonth(timeZone: string): Period {
  const until = today(timeZone);
  return { from: `${until.slice(0, 7)}-01`, until };
}

interface PeriodFieldsProps {
  period: Period;
  onChange: (period: Period) => void;
}

/** Asks for a period. */
export const PeriodFields = ({ period: { from, until }, onChange }: PeriodFieldsProps) => (
  <>
    <Field label="From" className="w-44">
      <TextInput
        type="date"
        value={from}
        max={until}
        onChange={({ target }) => onChange({ from: target.value, until })}
      />
    </Field>
    <Field label="Until" className="w-44">
      <TextInput
        type="date"
        value={until}
        min={from}
        onChange={({ target }) => onChange({ from, until: target.value })}
      />
    </Field>
  </>
);
