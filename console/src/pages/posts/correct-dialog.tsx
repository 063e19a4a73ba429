import { type FormEvent, useState } from "react";
import { useChange } from "../../api/index.ts";
import { useTexts } from "../../texts/index.ts";
import {
  AreaField,
  Button,
  Dialog,
  faultOf,
  Notice,
  TextField,
  toast,
  useOnce,
  wordsOf,
} from "../../ui/index.ts";
import { Plan } from "./plan.tsx";
import { type Corrected, correct, type Subject, topics } from "./requests.ts";
import { usePostsTexts } from "./use-posts-texts.ts";

interface Props {
  readonly workspaceId: string;
  readonly subject: Subject;
  /** What readers see now. */
  readonly text: string;
  readonly onClose: () => void;
}

/** New words for a post. What they do channel by channel is shown before they are sent; other words need another look. */
export function CorrectDialog({ workspaceId, subject, text: present, onClose }: Props) {
  const all = useTexts();
  const { actions: texts } = usePostsTexts();
  const [text, setText] = useState(present);
  const [plan, setPlan] = useState<Corrected | null>(null);
  const rehearsal = useChange(() => correct(workspaceId, subject, text, { reason: "", rehearse: true }), []);
  const change = useChange((reason: string) => correct(workspaceId, subject, text, { reason }), topics);
  const look = useOnce(() => rehearsal.mutateAsync(undefined).then(setPlan, () => undefined));
  const act = useOnce(async (reason: string, close: () => void) => {
    const done = await change.mutateAsync(reason).catch(() => undefined);
    if (!done) return; // shown from change.error
    toast(texts.asked.correct(done.changed));
    close();
  });
  const submit = (event: FormEvent<HTMLFormElement>, close: () => void) => {
    event.preventDefault();
    if (!plan) look();
    else act(String(new FormData(event.currentTarget).get("reason")).trim(), close);
  };
  const error = change.error ?? rehearsal.error;
  const isSame = text.trim() === present.trim() || text.trim() === "";
  return (
    <Dialog title={texts.correct} onClose={onClose} locked={change.isPending}>
      {(close) => (
        <form className="form" onSubmit={(event) => submit(event, close)}>
          <p>{texts.hint.correct}</p>
          {error && <Notice tone="bad">{wordsOf(error, all)}</Notice>}
          <AreaField
            label={texts.text}
            rows={8}
            value={text}
            onChange={(event) => {
              setText(event.target.value);
              setPlan(null);
            }}
            required
          />
          {plan && <Plan plan={plan} />}
          {plan && plan.changed > 0 && (
            <TextField
              label={all.common.reason}
              hint={all.common.reasonHint}
              fault={faultOf(change.error, "/reason")}
              name="reason"
              minLength={3}
              maxLength={500}
              required
              autoFocus
              autoComplete="off"
            />
          )}
          <div className="form-actions">
            <Button onClick={close}>{all.common.cancel}</Button>
            {plan ? (
              <Button look="main" type="submit" busy={change.isPending} disabled={plan.changed === 0}>
                {texts.correct}
              </Button>
            ) : (
              <Button look="main" type="submit" busy={rehearsal.isPending} disabled={isSame}>
                {texts.rehearse}
              </Button>
            )}
          </div>
        </form>
      )}
    </Dialog>
  );
}
