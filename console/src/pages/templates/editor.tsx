import { useEffect, useRef, useState } from "react";
import type { Workspace } from "../../api/index.ts";
import { useLeaveGuard } from "../../router/index.ts";
import { usePageTexts, useTexts } from "../../texts/index.ts";
import {
  AreaField,
  Button,
  Card,
  CheckField,
  faultOf,
  Notice,
  SelectField,
  TextField,
  useOnce,
  wordsOf,
} from "../../ui/index.ts";
import { jsonObject } from "./json-object.ts";
import type { Template } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";
import { TrialCard } from "./trial.tsx";
import { useTemplateActs } from "./use-templates.ts";

interface Props {
  readonly workspace: Workspace;
  /** The version to start from; absent for a new template. */
  readonly from?: Template;
  readonly onText?: (body: string) => void;
  readonly onSaved: (saved: Template) => void;
}

const modes = ["", "HTML", "Markdown", "None"] as const;

/** The text of a template beside what a channel would show of it. */
export function Editor({ workspace, from, onText, onSaved }: Props) {
  const { editor: texts } = usePageTexts({ ru, en });
  const common = useTexts();
  const start = startOf(from);
  const [name, setName] = useState("");
  const [body, setBody] = useState(start.body);
  const [mode, setMode] = useState(start.mode);
  const [more, setMore] = useState(start.more);
  const [active, setActive] = useState(from === undefined);
  const { save } = useTemplateActs(workspace.id);
  const isSame = body === start.body && mode === start.mode && more === start.more;
  useLeaveGuard(isSame || save.isSuccess ? null : common.common.leave);
  // Leaves only after the guard is gone.
  const saved = save.data;
  const leave = useRef(onSaved);
  leave.current = onSaved;
  useEffect(() => {
    if (saved) leave.current(saved);
  }, [saved]);

  const others = jsonObject(more);
  const defaults = others && { ...others, ...(mode !== "" && { parse_mode: mode }) };
  const send = useOnce(async () => {
    if (!defaults) return;
    const template_id = from?.template_id ?? name.trim();
    await save.mutateAsync({ template_id, body, defaults, activate: active }).catch(() => undefined);
  });
  const mayWrite = workspace.scopes.includes("write");
  return (
    <div className="template-desk">
      <Card title={texts.title}>
        <form
          className="form"
          onSubmit={(event) => {
            event.preventDefault();
            send();
          }}
        >
          {save.error && <Notice tone="bad">{wordsOf(save.error, common)}</Notice>}
          {!from && (
            <TextField
              label={texts.name}
              hint={texts.nameHint}
              fault={faultOf(save.error, "/template_id")}
              value={name}
              required
              maxLength={64}
              autoComplete="off"
              onChange={(event) => setName(event.target.value)}
            />
          )}
          <AreaField
            label={texts.body}
            hint={texts.bodyHint}
            fault={faultOf(save.error, "/body")}
            className="code"
            rows={14}
            required
            maxLength={65_536}
            spellCheck={false}
            readOnly={!mayWrite}
            value={body}
            onChange={(event) => {
              setBody(event.target.value);
              onText?.(event.target.value);
              save.reset();
            }}
          />
          <SelectField
            label={texts.mode}
            value={mode}
            disabled={!mayWrite}
            onChange={(event) => setMode(modes.find((each) => each === event.target.value) ?? "")}
          >
            {modes.map((each) => (
              <option key={each} value={each}>
                {texts.modes[each]}
              </option>
            ))}
          </SelectField>
          <AreaField
            label={texts.defaults}
            hint={texts.defaultsHint}
            fault={others ? faultOf(save.error, "/defaults") : texts.jsonWrong}
            className="code"
            rows={2}
            spellCheck={false}
            readOnly={!mayWrite}
            value={more}
            onChange={(event) => setMore(event.target.value)}
          />
          {mayWrite && (
            <>
              <CheckField
                label={texts.activate}
                checked={active}
                onChange={(event) => setActive(event.target.checked)}
              />
              {from && isSame && <p className="template-soft">{texts.unchanged}</p>}
              <div className="form-actions">
                <Button
                  look="main"
                  type="submit"
                  busy={save.isPending}
                  disabled={!others || (from !== undefined && isSame)}
                >
                  {texts.save}
                </Button>
              </div>
            </>
          )}
        </form>
      </Card>
      <TrialCard workspace={workspace} templateId={from?.template_id} body={body} defaults={defaults} />
    </div>
  );
}

function startOf(from: Template | undefined) {
  const { parse_mode, ...others } = from?.defaults ?? { parse_mode: "HTML" };
  return {
    body: from?.body ?? "<b>{{ title }}</b>\n\n{{ text }}\n",
    mode: modes.find((mode) => mode === parse_mode) ?? "",
    more: Object.keys(others).length > 0 ? JSON.stringify(others, null, 2) : "",
  };
}
