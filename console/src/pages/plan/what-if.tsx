import { useState } from "react";
import type { Workspace } from "../../api/index.ts";
import { usePageTexts, useTexts } from "../../texts/index.ts";
import { AskDialog, Button, Card, Notice, SelectField, toast, useOnce, wordsOf } from "../../ui/index.ts";
import { type Changes, changesOf, type Draft, draftOf, gapIsWrong } from "./channel-changes.ts";
import type { Span } from "./days.ts";
import type { PacedChannel } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";
import { useApply, useCompare } from "./use-what-if.ts";
import { WhatIfFields } from "./what-if-fields.tsx";
import { WhatIfResult } from "./what-if-result.tsx";
import "./what-if.css";

interface Props {
  readonly workspace: Workspace;
  readonly channels: readonly PacedChannel[];
  readonly span: Span;
  readonly chosenId: string | undefined;
  readonly onApplied: () => void;
}

/** A channel is changed on paper, and the plan tells what would move. */
export function WhatIf({ workspace, channels, span, chosenId, onApplied }: Props) {
  const texts = usePageTexts({ ru, en });
  const [pickedId, setPickedId] = useState(chosenId ?? "");
  const channel = channels.find(({ channel_id }) => channel_id === pickedId);
  return (
    <Card title={texts.ifs.title} className="what-if">
      <p className="soft">{texts.ifs.lead}</p>
      <SelectField
        label={texts.channel}
        value={pickedId}
        onChange={(event) => setPickedId(event.target.value)}
      >
        <option value="">{texts.ifs.choose}</option>
        {channels.map(({ channel_id, title, target_name, target_id }) => (
          <option key={channel_id} value={channel_id}>
            {title ?? target_name ?? target_id}
          </option>
        ))}
      </SelectField>
      {channel && (
        <Trial
          key={channel.channel_id}
          workspace={workspace}
          channel={channel}
          span={span}
          onApplied={onApplied}
        />
      )}
    </Card>
  );
}

function Trial({
  workspace,
  channel,
  span,
  onApplied,
}: Pick<Props, "workspace" | "span" | "onApplied"> & { channel: PacedChannel }) {
  const texts = usePageTexts({ ru, en });
  const common = useTexts();
  const [draft, setDraft] = useState(() => draftOf(channel));
  const [hint, setHint] = useState<string | null>(null);
  const [tried, setTried] = useState<Changes | null>(null);
  const [applying, setApplying] = useState<Changes | null>(null);
  const compare = useCompare(workspace.id, span);
  const apply = useApply(workspace.id);
  const send = useOnce((changes: Changes) =>
    compare.mutateAsync({ channel, changes }).catch(() => undefined),
  );
  const change = (next: Draft) => {
    setDraft(next);
    setHint(null);
    setTried(null);
    compare.reset();
  };
  const submit = () => {
    if (gapIsWrong(draft)) return;
    if (draft.mode === "windowed" && draft.days.length === 0) return setHint(texts.ifs.daysMissing);
    const changes = changesOf(channel, draft);
    if (!changes) return setHint(texts.ifs.same);
    setTried(changes);
    send(changes);
  };
  return (
    <>
      <form
        className="what-if-form"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <WhatIfFields draft={draft} onChange={change} />
        {hint && <Notice tone="warn">{hint}</Notice>}
        {compare.isError && <Notice tone="bad">{wordsOf(compare.error, common)}</Notice>}
        <div className="what-if-actions">
          <Button look="main" type="submit" busy={compare.isPending}>
            {texts.ifs.compare}
          </Button>
          {tried && compare.data && mayApply(workspace, tried) && (
            <Button onClick={() => setApplying(tried)}>{texts.ifs.apply}</Button>
          )}
        </div>
        {compare.data && <WhatIfResult result={compare.data} />}
      </form>
      {applying && (
        <AskDialog
          title={texts.ifs.applyTitle(channel.title ?? channel.target_id)}
          submit={texts.ifs.apply.replace("…", "")}
          asksReason
          act={(reason) => apply.mutateAsync({ channel, changes: applying, reason })}
          onDone={() => {
            setTried(null);
            compare.reset();
            toast(texts.ifs.applied);
            onApplied();
          }}
          onClose={() => setApplying(null)}
        >
          {texts.ifs.applyHint}
        </AskDialog>
      )}
    </>
  );
}

function mayApply({ scopes }: Workspace, { fields, enabled }: Changes): boolean {
  return (
    (Object.keys(fields).length === 0 || scopes.includes("write")) &&
    (enabled === undefined || scopes.includes("operate"))
  );
}
