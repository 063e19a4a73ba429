import { AreaField, CheckField, SelectField, TextField } from "../../../ui/index.ts";
import { useTemplates } from "../calls.ts";
import { useWords } from "../use-words.ts";
import { DurationField } from "./duration-field.tsx";
import type { FieldSpec } from "./fields.ts";

interface Props {
  readonly field: FieldSpec;
  readonly workspaceId: string;
  readonly value: string;
  readonly fault: string | undefined;
  readonly onChange: (value: string) => void;
  readonly disabled: boolean;
}

/** One setting by its kind, with its explanation. */
export function SettingField({ field, workspaceId, value, fault, onChange, disabled }: Props) {
  const { settings } = useWords();
  const { key, kind, choices = [], unset } = field;
  const named: Readonly<Record<string, readonly [string, string?]>> = settings.fields;
  const words: Readonly<Record<string, string>> = settings.choices;
  const [label, hint] = named[key] ?? [key];
  const around = { label, hint, fault };
  const props = {
    value,
    disabled,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  };
  switch (kind) {
    case "yes":
      return (
        <CheckField
          label={label}
          {...(hint && { hint })}
          disabled={disabled}
          checked={value === "true"}
          onChange={(event) => onChange(String(event.target.checked))}
        />
      );
    case "choice":
      return (
        <SelectField {...around} {...props}>
          {unset && <option value="">{settings.unset}</option>}
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {words[`${key}.${choice}`] ?? words[choice] ?? choice}
            </option>
          ))}
        </SelectField>
      );
    case "template":
      return <TemplateField around={around} props={props} workspaceId={workspaceId} />;
    case "duration":
      return <DurationField {...around} value={value} onChange={onChange} disabled={disabled} />;
    case "json":
    case "days":
      return (
        <AreaField
          {...around}
          {...props}
          rows={kind === "json" ? 4 : 3}
          spellCheck={false}
          placeholder={kind === "days" ? "2027-01-01:" : undefined}
        />
      );
    default:
      return (
        <TextField
          {...around}
          {...props}
          autoComplete="off"
          {...(kind === "number" && { inputMode: "decimal" })}
          {...(kind === "intervals" && { placeholder: settings.closed })}
          {...(key === "timezone" && { list: "zones", placeholder: "Europe/Moscow" })}
        />
      );
  }
}

interface TemplateProps {
  readonly around: {
    readonly label: string;
    readonly hint: string | undefined;
    readonly fault: string | undefined;
  };
  readonly props: {
    readonly value: string;
    readonly disabled: boolean;
    readonly onChange: (event: { target: { value: string } }) => void;
  };
  readonly workspaceId: string;
}

function TemplateField({ around, props, workspaceId }: TemplateProps) {
  const { settings } = useWords();
  const templates = useTemplates(workspaceId);
  const names = (templates.data ?? []).filter(({ active }) => active).map(({ template_id }) => template_id);
  const all = props.value && !names.includes(props.value) ? [...names, props.value] : names;
  return (
    <SelectField {...around} {...props}>
      <option value="">{settings.noTemplate}</option>
      {all.map((name) => (
        <option key={name}>{name}</option>
      ))}
    </SelectField>
  );
}
