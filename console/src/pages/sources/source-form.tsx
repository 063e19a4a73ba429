import { type FormEvent, useEffect, useRef, useState } from "react";
import type { Workspace } from "../../api/index.ts";
import { useLeaveGuard } from "../../router/index.ts";
import { usePageTexts, useTexts } from "../../texts/index.ts";
import {
  AreaField,
  Button,
  faultOf,
  Notice,
  PasswordField,
  SelectField,
  TextField,
  useOnce,
  wordsOf,
} from "../../ui/index.ts";
import { MappingFields } from "./mapping-fields.tsx";
import { RehearsalCard } from "./rehearsal.tsx";
import { type Source, sourceKinds } from "./shapes.ts";
import { configOf, type Draft, draftOf, emptyDraft } from "./source-config.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";
import { type Settings, useRehearsal, useSourceActs } from "./use-sources.ts";

interface Props {
  readonly workspace: Workspace;
  /** The one that is changed; absent for a new one. */
  readonly source?: Source;
  readonly onSaved: (id: string) => void;
  readonly onCancel: () => void;
}

/** Settings of a source, with a rehearsal before they are saved. */
export function SourceForm({ workspace, source, onSaved, onCancel }: Props) {
  const { form, ...texts } = usePageTexts({ ru, en });
  const common = useTexts();
  const [draft, setDraft] = useState<Draft>(() => (source ? draftOf(source) : emptyDraft));
  const [touched, setTouched] = useState(false);
  const rehearsal = useRehearsal(workspace.id);
  const { add, change } = useSourceActs(workspace.id);
  const save = source ? change : add;
  useLeaveGuard(touched && !save.isSuccess ? common.common.leave : null);
  // Leaves only after the guard is gone.
  const savedId = save.data?.source_id;
  const leave = useRef(onSaved);
  leave.current = onSaved;
  useEffect(() => {
    if (savedId !== undefined) leave.current(savedId);
  }, [savedId]);
  const error = save.error ?? rehearsal.error;
  const fault = (name: string) => faultOf(error, `/${name}`);
  const config = configOf(draft);

  const set = (changes: Partial<Draft>) => {
    setDraft({ ...draft, ...changes });
    setTouched(true);
    if (error) {
      save.reset();
      rehearsal.reset();
    }
  };
  const settings = (): Settings | undefined =>
    config && { kind: draft.kind, config, ...(draft.secret !== "" && { secret: draft.secret }) };
  const rehearse = useOnce(async () => {
    const tried = settings();
    save.reset();
    if (tried)
      await rehearsal
        .mutateAsync({ ...tried, ...(source && { source_id: source.source_id }) })
        .catch(() => undefined);
  });
  const submit = useOnce(async () => {
    const given = settings();
    if (!given) return;
    const every_seconds = Math.round(Number(draft.everyMinutes.replace(",", ".")) * 60);
    const { kind: _, ...changed } = given;
    await (source
      ? change.mutateAsync({ id: source.source_id, every_seconds, ...changed })
      : add.mutateAsync({ source_id: draft.id.trim(), every_seconds, ...given })
    ).catch(() => undefined);
  });
  const text = (name: "id" | "url" | "tags" | "first" | "everyMinutes" | "secret") => ({
    value: draft[name],
    onChange: (event: { target: { value: string } }) => set({ [name]: event.target.value }),
    autoComplete: "off",
  });
  return (
    <>
      <form
        className="card source-form"
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          submit();
        }}
      >
        {error && <Notice tone="bad">{wordsOf(error, common)}</Notice>}
        <div className="source-fields">
          {!source && (
            <TextField
              label={form.name}
              hint={form.nameHint}
              fault={fault("source_id")}
              required
              maxLength={64}
              {...text("id")}
            />
          )}
          {!source && (
            <SelectField
              label={form.kind}
              value={draft.kind}
              onChange={(event) =>
                set({ kind: sourceKinds.find((kind) => kind === event.target.value) ?? "rss" })
              }
            >
              {sourceKinds.map((kind) => (
                <option key={kind} value={kind}>
                  {texts.kinds[kind]}
                </option>
              ))}
            </SelectField>
          )}
          {draft.kind !== "db" && (
            <TextField
              type="url"
              label={form.url}
              hint={form.urlHint[draft.kind]}
              fault={fault("config/url")}
              required
              {...text("url")}
            />
          )}
          <PasswordField
            label={form.secret}
            hint={source?.has_secret ? form.secretKept : form.secretHints[draft.kind]}
            fault={fault("secret")}
            {...text("secret")}
            autoComplete="new-password"
          />
          <TextField
            label={form.every}
            fault={fault("every_seconds")}
            inputMode="decimal"
            required
            pattern="\d{1,5}([.,]\d+)?"
            {...text("everyMinutes")}
          />
          <TextField
            label={form.first}
            hint={form.firstHint}
            fault={fault("config/max_items_first_run")}
            inputMode="numeric"
            pattern="\d{0,3}"
            {...text("first")}
          />
          <TextField label={form.tags} hint={form.tagsHint} fault={fault("config/tags")} {...text("tags")} />
        </div>
        {draft.kind !== "rss" && <MappingFields draft={draft} fault={fault} onChange={set} />}
        <AreaField
          label={form.more}
          hint={form.moreHint}
          fault={config ? undefined : form.moreWrong}
          className="code"
          value={draft.more}
          onChange={(event) => set({ more: event.target.value })}
          spellCheck={false}
        />
        <div className="form-actions">
          <Button onClick={onCancel}>{common.common.cancel}</Button>
          <Button busy={rehearsal.isPending} disabled={!config} onClick={rehearse}>
            {texts.rehearse}
          </Button>
          <Button look="main" type="submit" busy={save.isPending} disabled={!config}>
            {form.save}
          </Button>
        </div>
      </form>
      {rehearsal.data && <RehearsalCard report={rehearsal.data} />}
    </>
  );
}
