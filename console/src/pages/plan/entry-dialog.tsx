import { type FormEvent, useState } from "react";
import { locale } from "../../preferences/index.ts";
import { usePageTexts, useTexts } from "../../texts/index.ts";
import { Button, Dialog, Facts, Notice, Platform, TextField, useOnce, ZonedTime } from "../../ui/index.ts";
import { clockIn, momentIn } from "./days.ts";
import { isMovable, noteWords, reasonWords, refusalWords } from "./entry-words.ts";
import type { Entry } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";
import { useMoveCheck } from "./use-plan.ts";

interface Props {
  readonly workspaceId: string;
  readonly entry: Entry;
  readonly mayMove: boolean;
  readonly onMove: (entry: Entry, local: string, reason: string) => Promise<void>;
  readonly onClose: () => void;
}

/** What is known of an entry, and a form for another time. */
export function EntryDialog({ entry, mayMove, onClose, ...rest }: Props) {
  const texts = usePageTexts({ ru, en });
  const { channel, delivery } = entry;
  return (
    <Dialog title={entry.title.split("\n")[0]?.slice(0, 80) || texts.noText} onClose={onClose}>
      {(close) => (
        <>
          <Facts
            facts={[
              [texts.when, <ZonedTime key="when" at={entry.at} zone={entry.zone} />],
              [
                texts.where,
                <span key="where" className="entry-where">
                  <Platform name={channel.platform} /> {channel.title}
                </span>,
              ],
              [texts.what, texts.kindOf[entry.kind]],
              [texts.why, delivery && reasonWords(delivery.reason, texts)],
              [texts.note, noteWords(entry, texts)],
              [
                texts.text,
                entry.title.length > 80 ? (
                  <span key="text" className="entry-whole">
                    {entry.title}
                  </span>
                ) : null,
              ],
            ]}
          />
          {mayMove && isMovable(entry) ? (
            <MoveForm {...rest} entry={entry} close={close} />
          ) : (
            <CloseOnly close={close} />
          )}
        </>
      )}
    </Dialog>
  );
}

function CloseOnly({ close }: { close: () => void }) {
  const { common } = useTexts();
  return (
    <div className="form-actions">
      <Button autoFocus onClick={close}>
        {common.close}
      </Button>
    </div>
  );
}

function MoveForm({
  workspaceId,
  entry,
  onMove,
  close,
}: Omit<Props, "mayMove" | "onClose"> & { close: () => void }) {
  const texts = usePageTexts({ ru, en });
  const common = useTexts();
  const language = locale.use();
  const now = clockIn(entry.zone, new Date());
  const planned = clockIn(entry.zone, new Date(entry.at));
  const [local, setLocal] = useState(planned);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const wanted = local === "" || local === planned ? undefined : momentIn(entry.zone, local);
  const check = useMoveCheck(workspaceId, entry.id, wanted);
  const send = useOnce(async (reason: string) => {
    setBusy(true);
    try {
      await onMove(entry, local, reason);
      close();
    } catch (error) {
      setRefusal(refusalWords(error, texts, common));
    } finally {
      setBusy(false);
    }
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    send(String(new FormData(event.currentTarget).get("reason") ?? "").trim());
  };
  const fault = refusal ?? (wanted && check.error ? refusalWords(check.error, texts, common) : undefined);
  const zoneName = new Intl.DateTimeFormat(language, { timeZone: entry.zone, timeZoneName: "short" })
    .formatToParts(new Date(entry.at))
    .find(({ type }) => type === "timeZoneName")?.value;
  return (
    <form className="form" onSubmit={submit}>
      <h3>{texts.move.title}</h3>
      {refusal && <Notice tone="bad">{refusal}</Notice>}
      <TextField
        type="datetime-local"
        label={texts.move.time(zoneName ?? entry.zone)}
        hint={wanted && check.isSuccess ? texts.move.checked : texts.move.timeHint}
        fault={refusal ? undefined : fault}
        value={local}
        min={now}
        required
        onChange={(event) => {
          setLocal(event.target.value);
          setRefusal(null);
        }}
      />
      <TextField
        label={common.common.reason}
        hint={texts.move.reasonHint}
        name="reason"
        minLength={3}
        maxLength={200}
        required
        autoComplete="off"
      />
      <div className="form-actions">
        <Button onClick={close}>{common.common.cancel}</Button>
        <Button look="main" type="submit" busy={busy} disabled={wanted === undefined}>
          {texts.move.submit}
        </Button>
      </div>
    </form>
  );
}
