import { Plus, Trash2 } from "lucide-react";
import { useRef } from "react";
import { usePageTexts } from "../../texts/index.ts";
import { Button, CheckField, TextField } from "../../ui/index.ts";
import { faultsOfButtons } from "./button-faults.ts";
import { type LinkButton, newKey } from "./post.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

interface Props {
  readonly buttons: readonly LinkButton[];
  /** What is missing is shown only when the person wanted to send. */
  readonly shown: boolean;
  readonly onChange: (buttons: readonly LinkButton[]) => void;
}

export function ButtonsField({ buttons, shown, onChange }: Props) {
  const { buttons: texts } = usePageTexts({ ru, en });
  const list = useRef<HTMLDivElement>(null);
  const faults = faultsOfButtons(buttons);
  const change = (key: string, changes: Partial<LinkButton>) =>
    onChange(buttons.map((each) => (each.key === key ? { ...each, ...changes } : each)));
  const add = () => {
    onChange([...buttons, { key: newKey(), text: "", url: "", beside: false }]);
    requestAnimationFrame(() =>
      list.current?.querySelector<HTMLElement>("fieldset:last-of-type input")?.focus(),
    );
  };
  return (
    <div ref={list} className="buttons-field">
      {buttons.map(({ key, text, url, beside }, at) => {
        const missing = shown ? (faults.get(key) ?? []) : [];
        return (
          <fieldset key={key} className="link-button">
            <legend className="unseen">{texts.group(at + 1)}</legend>
            <TextField
              label={texts.text}
              fault={missing.includes("noText") ? texts.noText : undefined}
              value={text}
              maxLength={128}
              autoComplete="off"
              onChange={(event) => change(key, { text: event.target.value })}
            />
            <TextField
              label={texts.url}
              fault={missing.includes("badUrl") ? texts.badUrl : undefined}
              value={url}
              inputMode="url"
              placeholder="https://"
              maxLength={2048}
              autoComplete="off"
              onChange={(event) => change(key, { url: event.target.value })}
            />
            <button
              type="button"
              className="icon-button"
              aria-label={texts.remove(at + 1)}
              onClick={() => onChange(buttons.filter((each) => each.key !== key))}
            >
              <Trash2 aria-hidden="true" />
            </button>
            {at > 0 && (
              <CheckField
                label={texts.beside}
                checked={beside}
                onChange={(event) => change(key, { beside: event.target.checked })}
              />
            )}
          </fieldset>
        );
      })}
      <div>
        <Button icon={<Plus aria-hidden="true" />} onClick={add}>
          {texts.add}
        </Button>
      </div>
    </div>
  );
}
