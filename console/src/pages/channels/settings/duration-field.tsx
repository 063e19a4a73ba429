import { useState } from "react";
import { Field } from "../../../ui/index.ts";
import { useWords } from "../use-words.ts";

const units = [
  { name: "days", seconds: 86_400 },
  { name: "hours", seconds: 3_600 },
  { name: "minutes", seconds: 60 },
  { name: "seconds", seconds: 1 },
] as const;

interface Props {
  readonly label: string;
  readonly hint: string | undefined;
  readonly fault: string | undefined;
  /** Seconds; empty for none. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly disabled: boolean;
}

/** A number and its unit; kept in seconds, as the server wants it. */
export function DurationField({ value, onChange, disabled, ...around }: Props) {
  const { settings } = useWords();
  const [unit, setUnit] = useState<number>(() => largestUnit(Number(value)));
  const amount = value === "" || !Number.isFinite(Number(value)) ? value : String(Number(value) / unit);
  const inSeconds = (text: string, size: number) => {
    const typed = Number(text.replace(",", "."));
    return text.trim() === "" ? "" : Number.isFinite(typed) ? String(Math.round(typed * size)) : text;
  };
  return (
    <Field {...around}>
      {(described) => (
        <span className="duration">
          <input
            {...described}
            className="input"
            type="text"
            inputMode="decimal"
            autoComplete="off"
            disabled={disabled}
            value={amount}
            onChange={(event) => onChange(inSeconds(event.target.value, unit))}
          />
          <select
            className="input"
            aria-label={settings.unitOf(around.label)}
            disabled={disabled}
            value={unit}
            onChange={(event) => {
              const size = Number(event.target.value);
              setUnit(size);
              onChange(inSeconds(amount, size));
            }}
          >
            {units.map(({ name, seconds }) => (
              <option key={name} value={seconds}>
                {settings.units[name]}
              </option>
            ))}
          </select>
        </span>
      )}
    </Field>
  );
}

function largestUnit(seconds: number): number {
  const fits = seconds > 0 ? units.find((unit) => seconds % unit.seconds === 0) : undefined;
  return fits?.seconds ?? 3_600;
}
