import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useChange } from "../../api/index.ts";
import { useTexts } from "../../texts/index.ts";
import { AskDialog, Notice, toast, wordsOf } from "../../ui/index.ts";
import { type Asked, type Counted, topics } from "./requests.ts";
import { usePostsTexts } from "./use-posts-texts.ts";

interface Props {
  readonly kind: "cancel" | "requeue" | "recover";
  readonly title: string;
  readonly hint?: ReactNode;
  /** The same for the same rehearsal. */
  readonly rehearsalKey: readonly unknown[];
  readonly act: (asked: Asked) => Promise<Counted>;
  readonly onDone?: () => void;
  readonly onClose: () => void;
}

/** Shows by a rehearsal how many deliveries would change, then asks for a reason and does it. */
export function CountedDialog({ kind, title, hint, rehearsalKey, act, onDone, onClose }: Props) {
  const all = useTexts();
  const texts = usePostsTexts();
  const rehearsal = useQuery({
    queryKey: ["rehearsal", ...rehearsalKey],
    queryFn: () => act({ reason: "", rehearse: true }),
    ...{ gcTime: 0, staleTime: 0 },
  });
  const change = useChange((reason: string) => act({ reason }), topics);
  const counted = rehearsal.data;
  const isIdle = !counted || counted.changed + counted.resumed === 0;
  return (
    <AskDialog
      title={title}
      submit={title}
      look={kind === "cancel" ? "danger" : "main"}
      asksReason
      mayAct={!isIdle}
      act={async (reason) => {
        const { changed } = await change.mutateAsync(reason);
        toast(texts.actions.asked[kind](changed));
      }}
      {...(onDone && { onDone })}
      onClose={onClose}
    >
      {hint && <p>{hint}</p>}
      {rehearsal.error && <Notice tone="bad">{wordsOf(rehearsal.error, all)}</Notice>}
      {!rehearsal.error && (
        <div className="plan-count" role="status">
          {counted ? <Count kind={kind} counted={counted} /> : texts.bulk.counting}
        </div>
      )}
    </AskDialog>
  );
}

function Count({ kind, counted }: { kind: Props["kind"]; counted: Counted }) {
  const { bulk: texts } = usePostsTexts();
  const { changed, channels, resumed, refusals } = counted;
  const words: Readonly<Record<string, string>> = texts.refusals;
  return (
    <>
      <p>
        <strong>{changed + resumed === 0 ? texts.nothing : texts.count[kind](changed)}</strong>
      </p>
      {resumed > 0 && <p>{texts.resumed(resumed)}</p>}
      {kind === "requeue" && changed >= 1_000 && <p>{texts.most}</p>}
      {channels.length > 0 && (
        <ul>
          {channels.slice(0, 10).map(({ name, deliveries }) => (
            <li key={name} className="plan-channel">
              <span>{name}</span> <b>{deliveries}</b>
            </li>
          ))}
        </ul>
      )}
      {refusals.length > 0 && (
        <p>
          {texts.left}: {refusals.map((refusal) => words[refusal] ?? refusal).join("; ")}.
        </p>
      )}
    </>
  );
}
