import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTexts } from "../../texts/index.ts";
import { Button, Dialog, Notice, SelectField, TextField, toast, useOnce, wordsOf } from "../../ui/index.ts";
import { forEach, type Outcome } from "./bulk.ts";
import { channelTopics, type Deed, type Order, operate } from "./calls.ts";
import { useWords } from "./use-words.ts";

export const pauses = [
  { name: "hour", seconds: 3_600 },
  { name: "fourHours", seconds: 14_400 },
  { name: "day", seconds: 86_400 },
  { name: "week", seconds: 604_800 },
  { name: "month", seconds: 2_592_000 },
] as const;

export interface Named {
  readonly id: string;
  readonly name: string;
}

interface Props {
  readonly workspaceId: string;
  readonly deed: Deed;
  readonly channels: readonly Named[];
  readonly onDone?: () => void;
  readonly onClose: () => void;
}

type Report = Awaited<ReturnType<typeof operate>>;
interface Rehearsed {
  readonly order: Order;
  readonly outcomes: readonly Outcome<Report>[];
}

/** Rehearses the order on the server, says what would change, and does it when the person agrees. */
export function BulkDialog({ workspaceId, deed, channels, onDone, onClose }: Props) {
  const texts = useWords();
  const common = useTexts();
  const client = useQueryClient();
  const [progress, setProgress] = useState<number | null>(null);
  const [rehearsed, setRehearsed] = useState<Rehearsed | null>(null);
  const [failed, setFailed] = useState<readonly Outcome<Report>[]>([]);
  const names = new Map(channels.map(({ id, name }) => [id, name]));
  const all = channels.map(({ id }) => id);
  /** One channel is seen whole, so there is nothing to rehearse. */
  const isSingle = channels.length === 1;
  const [single] = channels;
  const runAll = async (ids: readonly string[], order: Order, dryRun: boolean) => {
    setProgress(0);
    const outcomes = await forEach(ids, (id) => operate(workspaceId, id, order, dryRun), setProgress);
    setProgress(null);
    return outcomes;
  };
  const rehearse = useOnce(async (order: Order) => {
    setFailed([]);
    setRehearsed({ order, outcomes: await runAll(all, order, true) });
  });
  const carryOut = useOnce(async (order: Order, ids: readonly string[], close: () => void) => {
    const results = await runAll(ids, order, false);
    await Promise.all(channelTopics.map((topic) => client.invalidateQueries({ queryKey: [topic] })));
    const wrong = results.filter(({ error }) => error);
    toast(texts.bulk.done[deed](results.length - wrong.length));
    setFailed(wrong);
    if (wrong.length > 0) return setRehearsed(null);
    close();
    onDone?.();
  });
  const submit = (close: () => void) => (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (rehearsed) return carryOut(rehearsed.order, affected, close);
    const form = new FormData(event.currentTarget);
    const order: Order = {
      deed,
      reason: String(form.get("reason")).trim(),
      ...(deed === "pause" && { seconds: Number(form.get("seconds")) }),
    };
    if (isSingle) carryOut(order, all, close);
    else rehearse(order);
  };
  const affected = (rehearsed?.outcomes ?? []).filter(changes).map(({ id }) => id);
  const refused = [...failed, ...(rehearsed?.outcomes.filter(({ error }) => error) ?? [])];
  const busy = progress !== null;
  return (
    <Dialog
      title={
        isSingle && single ? texts.deedTitles[deed](single.name) : texts.bulk.titles[deed](channels.length)
      }
      onClose={onClose}
      locked={busy}
    >
      {(close) => (
        <form className="form" onSubmit={submit(close)}>
          <p>{texts.deedHints[deed]}</p>
          {refused.length > 0 && (
            <Notice tone="bad" title={texts.bulk.failed(refused.length)}>
              <ul>
                {refused.map(({ id, error }) => (
                  <li key={id}>
                    {names.get(id)}: {error && wordsOf(error, common)}
                  </li>
                ))}
              </ul>
            </Notice>
          )}
          {deed === "pause" && (
            <SelectField label={texts.pauseFor} name="seconds" disabled={rehearsed !== null}>
              {pauses.map(({ name, seconds }) => (
                <option key={name} value={seconds}>
                  {texts.pauses[name]}
                </option>
              ))}
            </SelectField>
          )}
          <TextField
            label={common.common.reason}
            hint={common.common.reasonHint}
            name="reason"
            minLength={3}
            maxLength={500}
            required={deed !== "resume"}
            autoComplete="off"
            readOnly={rehearsed !== null}
          />
          {rehearsed && (
            <Notice
              tone={affected.length > 0 ? "good" : "warn"}
              title={texts.bulk.rehearsed[deed](affected.length)}
            >
              {affected.length < channels.length && texts.bulk.unchanged(channels.length - affected.length)}
            </Notice>
          )}
          {busy && <p role="status">{texts.bulk.progress(progress)}</p>}
          <div className="form-actions">
            <Button onClick={rehearsed ? () => setRehearsed(null) : close}>
              {rehearsed ? texts.back : common.common.cancel}
            </Button>
            <Button
              look={deed === "disable" ? "danger" : "main"}
              type="submit"
              busy={busy}
              disabled={rehearsed !== null && affected.length === 0}
            >
              {rehearsed || isSingle ? texts.deeds[deed] : texts.bulk.rehearse}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}

function changes({ result }: Outcome<Report>): boolean {
  return result?.channels.some((each) => Object.keys(each.changes).length > 0) ?? false;
}
