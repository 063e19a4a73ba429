import { Eye, EyeOff } from "lucide-react";
import { type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes, useId, useState } from "react";
import { useTexts } from "../texts/index.ts";
import "./field.css";

export interface Around {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly fault?: string | undefined;
}

type InputProps = Around & InputHTMLAttributes<HTMLInputElement>;

export function TextField({ label, hint, fault, ...rest }: InputProps) {
  return (
    <Field label={label} hint={hint} fault={fault}>
      {(described) => <input type="text" {...rest} {...described} className="input" />}
    </Field>
  );
}

export function PasswordField({ label, hint, fault, ...rest }: InputProps) {
  const texts = useTexts();
  const [shown, setShown] = useState(false);
  const words = shown ? texts.common.hidePassword : texts.common.showPassword;
  return (
    <Field label={label} hint={hint} fault={fault}>
      {(described) => (
        <span className="input-with-button">
          <input {...rest} {...described} className="input" type={shown ? "text" : "password"} />
          <button type="button" aria-label={words} title={words} onClick={() => setShown(!shown)}>
            {shown ? <EyeOff aria-hidden="true" /> : <Eye aria-hidden="true" />}
          </button>
        </span>
      )}
    </Field>
  );
}

export function SelectField({
  label,
  hint,
  fault,
  ...rest
}: Around & SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <Field label={label} hint={hint} fault={fault}>
      {(described) => <select {...rest} {...described} className="input" />}
    </Field>
  );
}

export interface Described {
  readonly id: string;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": boolean;
}

export function Field({
  label,
  hint,
  fault,
  children,
}: Around & { children: (described: Described) => ReactNode }) {
  const id = useId();
  const note = fault ?? hint;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        "aria-describedby": note ? `${id}-note` : undefined,
        "aria-invalid": fault !== undefined,
      })}
      {note && (
        <p
          id={`${id}-note`}
          className={fault ? "field-fault" : "field-hint"}
          role={fault ? "alert" : undefined}
        >
          {note}
        </p>
      )}
    </div>
  );
}
