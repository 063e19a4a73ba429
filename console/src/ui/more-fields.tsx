import { type InputHTMLAttributes, type ReactNode, type TextareaHTMLAttributes, useId } from "react";
import { type Around, Field } from "./field.tsx";
import "./more-fields.css";

export function AreaField({
  label,
  hint,
  fault,
  className = "",
  ...rest
}: Around & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return (
    <Field label={label} hint={hint} fault={fault}>
      {(described) => <textarea rows={4} {...rest} {...described} className={`input area ${className}`} />}
    </Field>
  );
}

/** A yes or no that takes effect with the form. */
export function CheckField({
  label,
  hint,
  ...rest
}: { label: ReactNode; hint?: string } & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  return (
    <div className="check-field">
      <input type="checkbox" {...rest} id={id} aria-describedby={hint ? `${id}-note` : undefined} />
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p id={`${id}-note`} className="field-hint">
          {hint}
        </p>
      )}
    </div>
  );
}

interface SwitchProps {
  readonly label: string;
  readonly on: boolean;
  readonly busy?: boolean;
  readonly onSwitch: (on: boolean) => void;
}

/** A yes or no that takes effect at once. */
export function Switch({ label, on, busy = false, onSwitch }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={on}
      aria-label={label}
      title={label}
      aria-disabled={busy}
      className="switch"
      onClick={() => !busy && onSwitch(!on)}
    >
      <span aria-hidden="true" />
    </button>
  );
}
