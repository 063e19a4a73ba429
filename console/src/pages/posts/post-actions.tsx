import { Ban, Hand, LifeBuoy, Pencil, Play, RotateCw, Send, Undo2 } from "lucide-react";
import { useState } from "react";
import { Button } from "../../ui/index.ts";
import { CorrectDialog } from "./correct-dialog.tsx";
import { CountedDialog } from "./counted-dialog.tsx";
import { OperationDialog } from "./operation-dialog.tsx";
import { cancelMany, type Operation, recoverMany, requeueMany, type Subject } from "./requests.ts";
import type { Explained } from "./shapes.ts";
import { isFailed, isWaiting } from "./status.ts";
import { usePostsTexts } from "./use-posts-texts.ts";
import { WithdrawDialog } from "./withdraw-dialog.tsx";

interface Props {
  readonly workspaceId: string;
  readonly subject: Subject;
  /** All deliveries of a post, or the one. */
  readonly deliveries: readonly Explained[];
  /** What readers see now. */
  readonly text: string;
}

type Asking = Operation | "requeue" | "recover" | "cancelMany" | "correct" | "withdraw";

/** What an operator may do with a post or a delivery as it stands now. */
export function PostActions({ workspaceId, subject, deliveries, text }: Props) {
  const texts = usePostsTexts();
  const { actions } = texts;
  const [asking, setAsking] = useState<Asking | null>(null);
  const close = () => setAsking(null);
  const waiting = deliveries.filter(isWaiting);
  const requeueable = deliveries.filter((each) => isFailed(each) && each.why.details.can_requeue === true);
  const recoverable = deliveries.find((each) => isFailed(each) && each.why.details.help === "recover");
  const standing = deliveries.some(
    ({ status, withdrawn_at }) => (status === "sent" && withdrawn_at === null) || status === "sending",
  );
  const one = subject.kind === "deliveries" ? deliveries[0] : undefined;
  const idsOf = (list: readonly Explained[]) => list.map(({ id }) => id);
  const canCorrect = standing || waiting.length > 0;
  return (
    <div className="post-actions" role="toolbar" aria-label={actions.label}>
      {requeueable.length > 0 && (
        <Button look="main" icon={<RotateCw aria-hidden="true" />} onClick={() => setAsking("requeue")}>
          {actions.requeue}
        </Button>
      )}
      {recoverable && (
        <Button look="main" icon={<LifeBuoy aria-hidden="true" />} onClick={() => setAsking("recover")}>
          {actions.recover}
        </Button>
      )}
      {one && waiting.length > 0 && one.held !== null && (
        <Button look="main" icon={<Play aria-hidden="true" />} onClick={() => setAsking("release")}>
          {actions.release}
        </Button>
      )}
      {one && waiting.length > 0 && one.held === null && (
        <>
          {canHurry(one) && (
            <Button icon={<Send aria-hidden="true" />} onClick={() => setAsking("send-now")}>
              {actions.sendNow}
            </Button>
          )}
          <Button icon={<Hand aria-hidden="true" />} onClick={() => setAsking("hold")}>
            {actions.hold}
          </Button>
        </>
      )}
      {canCorrect && (
        <Button icon={<Pencil aria-hidden="true" />} onClick={() => setAsking("correct")}>
          {actions.correct}
        </Button>
      )}
      {waiting.length > 0 && (
        <Button icon={<Ban aria-hidden="true" />} onClick={() => setAsking(one ? "cancel" : "cancelMany")}>
          {one ? actions.cancel : actions.cancelWaiting}
        </Button>
      )}
      {standing && (
        <Button icon={<Undo2 aria-hidden="true" />} onClick={() => setAsking("withdraw")}>
          {actions.withdraw}
        </Button>
      )}
      {asking === "requeue" && (
        <CountedDialog
          {...{ kind: "requeue", title: actions.requeue, hint: actions.hint.requeue, onClose: close }}
          rehearsalKey={["requeue", subject]}
          act={(asked) => requeueMany(workspaceId, { ids: idsOf(requeueable) }, asked)}
        />
      )}
      {asking === "recover" && recoverable && (
        <CountedDialog
          {...{ kind: "recover", title: actions.recover, hint: actions.hint.recover, onClose: close }}
          rehearsalKey={["recover", subject]}
          act={(asked) =>
            recoverMany(
              workspaceId,
              { channel: recoverable.channel.id, since: recoverable.created_at },
              asked,
            )
          }
        />
      )}
      {asking === "cancelMany" && (
        <CountedDialog
          {...{ kind: "cancel", title: actions.cancelWaiting, hint: actions.hint.cancel, onClose: close }}
          rehearsalKey={["cancel", subject]}
          act={(asked) => cancelMany(workspaceId, { ids: idsOf(waiting) }, asked)}
        />
      )}
      {one && isOperation(asking) && (
        <OperationDialog workspaceId={workspaceId} operation={asking} deliveryId={one.id} onClose={close} />
      )}
      {asking === "correct" && (
        <CorrectDialog workspaceId={workspaceId} subject={subject} text={text} onClose={close} />
      )}
      {asking === "withdraw" && (
        <WithdrawDialog workspaceId={workspaceId} subject={subject} onClose={close} />
      )}
    </div>
  );
}

/** Only what waits for its own time can go sooner. */
const canHurry = ({ why }: Explained) =>
  why.reason === "scheduled" || why.reason === "retry_wait" || why.reason === "window_closed";

const isOperation = (asking: Asking | null): asking is Operation =>
  asking === "cancel" || asking === "hold" || asking === "release" || asking === "send-now";
