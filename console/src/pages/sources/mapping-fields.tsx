import { usePageTexts } from "../../texts/index.ts";
import { AreaField, SelectField, TextField } from "../../ui/index.ts";
import { type Draft, mapped } from "./source-config.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

interface Props {
  readonly draft: Draft;
  readonly fault: (name: string) => string | undefined;
  readonly onChange: (changes: Partial<Draft>) => void;
}

const modes = ["None", "HTML", "Markdown"] as const;

/** Where the items of an API or a table are, and what a post is made of. */
export function MappingFields({ draft, fault, onChange }: Props) {
  const { form } = usePageTexts({ ru, en });
  return (
    <>
      {draft.kind === "db" ? (
        <>
          <AreaField
            label={form.query}
            hint={form.queryHint}
            fault={fault("config/query")}
            className="code"
            required
            spellCheck={false}
            value={draft.query}
            onChange={(event) => onChange({ query: event.target.value })}
          />
          <div className="source-fields">
            <TextField
              label={form.timeColumn}
              fault={fault("config/time_column")}
              required
              value={draft.timeColumn}
              onChange={(event) => onChange({ timeColumn: event.target.value })}
            />
            <TextField
              label={form.idColumn}
              fault={fault("config/id_column")}
              required
              value={draft.idColumn}
              onChange={(event) => onChange({ idColumn: event.target.value })}
            />
          </div>
        </>
      ) : (
        <TextField
          label={form.items}
          hint={form.itemsHint}
          fault={fault("config/items_path")}
          value={draft.items}
          onChange={(event) => onChange({ items: event.target.value })}
        />
      )}
      <fieldset>
        <legend className="field-legend">{form.mapping}</legend>
        <p className="field-hint">{form.mappingHint}</p>
        {fault("config/fields") && <p className="field-fault">{fault("config/fields")}</p>}
        <div className="source-fields">
          {mapped.map((name) => (
            <AreaField
              key={name}
              label={form.fields[name]}
              fault={fault(`config/fields/${name}`)}
              className="code"
              rows={name === "text" ? 3 : 1}
              required={name === "id"}
              spellCheck={false}
              value={draft.fields[name]}
              onChange={(event) => onChange({ fields: { ...draft.fields, [name]: event.target.value } })}
            />
          ))}
          <SelectField
            label={form.mode}
            value={draft.mode}
            onChange={(event) => onChange({ mode: event.target.value })}
          >
            {modes.map((mode) => (
              <option key={mode} value={mode}>
                {form.modes[mode]}
              </option>
            ))}
          </SelectField>
        </div>
      </fieldset>
    </>
  );
}
