import { type FormEvent, useState } from "react";
import { type Recovered, type Recovery, useRecover, useRecoverable } from "../../api/index.ts";
import { useTexts } from "../../texts/index.ts";
import { Button, Dialog, faultOf, Notice, SelectField, TextField, useOnce, wordsOf } from "../../ui/index.ts";
import { type Choice, choicesOf, periods, scopeOf, sinceOf } from "./recover-choices.ts";

interface Props {
  readonly workspaceId: string;
  /** What it is opened for; the rest can be chosen as well. */
  readonly first?: Choice;
  readonly onRecovered: (recovered: Recovered) => void;
  readonly onClose: () => void;
}

/** Shows what would come back before anything does. */
export function RecoverDialog({ workspaceId, first, onRecovered, onClose }: Props) {
  const texts = useTexts();
  const [opened] = useState(() => Date.now());
  const [hours, setHours] = useState<number>(periods[1].hours);
  const [scope, setScope] = useState(first?.value ?? "");
  const since = sinceOf(opened, hours);
  const recovery: Recovery = { since, ...scopeOf(scope) };
  const everything = useRecoverable(workspaceId, { since });
  const preview = useRecoverable(workspaceId, recovery);
  const recover = useRecover(workspaceId);
  const send = useOnce(async (reason: string, close: () => void) => {
    const recovered = await recover.mutateAsync({ ...recovery, reason }).catch(() => undefined);
    if (!recovered) return; // shown from recover.error
    onRecovered(recovered);
    close();
  });
  const submit = (event: FormEvent<HTMLFormElement>, close: () => void) => {
    event.preventDefault();
    send(String(new FormData(event.currentTarget).get("reason")).trim(), close);
  };
  const error = recover.error ?? preview.error;
  const nothing = preview.data && preview.data.recovered + preview.data.resumed === 0;
  return (
    <Dialog title={texts.recover.title} onClose={onClose} locked={recover.isPending}>
      {(close) => (
        <form className="form" onSubmit={(event) => submit(event, close)}>
          {error && <Notice tone="bad">{wordsOf(error, texts)}</Notice>}
          <SelectField
            label={texts.recover.since}
            value={hours}
            onChange={(event) => setHours(Number(event.target.value))}
          >
            {periods.map(({ name, hours: each }) => (
              <option key={name} value={each}>
                {texts.recover.periods[name]}
              </option>
            ))}
          </SelectField>
          <SelectField
            label={texts.recover.where}
            value={scope}
            onChange={(event) => setScope(event.target.value)}
          >
            <option value="">{texts.recover.everywhere}</option>
            {first && <option value={first.value}>{texts.recover[first.kind](first.name)}</option>}
            {choicesOf(everything.data?.channels ?? [])
              .filter(({ value }) => value !== first?.value)
              .map(({ value, kind, name }) => (
                <option key={value} value={value}>
                  {texts.recover[kind](name)}
                </option>
              ))}
          </SelectField>
          <TextField
            label={texts.recover.reason}
            hint={texts.recover.reasonHint}
            fault={faultOf(recover.error, "/reason")}
            name="reason"
            minLength={3}
            maxLength={500}
            required
            autoComplete="off"
          />
          <p className="recover-preview" role="status">
            {preview.data
              ? texts.recover.preview(preview.data.recovered, preview.data.resumed)
              : texts.common.loading}
          </p>
          <div className="form-actions">
            <Button onClick={close}>{texts.common.cancel}</Button>
            <Button look="main" type="submit" busy={recover.isPending} disabled={nothing !== false}>
              {texts.recover.submit}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
