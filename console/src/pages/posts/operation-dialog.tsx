import { useChange } from "../../api/index.ts";
import { AskDialog, toast } from "../../ui/index.ts";
import { type Operation, operate, topics } from "./requests.ts";
import { usePostsTexts } from "./use-posts-texts.ts";

interface Props {
  readonly workspaceId: string;
  readonly operation: Operation;
  readonly deliveryId: string;
  readonly onClose: () => void;
}

const words = { cancel: "cancel", hold: "hold", release: "release", "send-now": "sendNow" } as const;

/** One delivery is called off, kept back, let go or sent at once, for a reason. */
export function OperationDialog({ workspaceId, operation, deliveryId, onClose }: Props) {
  const { actions: texts } = usePostsTexts();
  const change = useChange((reason: string) => operate(workspaceId, operation, deliveryId, reason), topics);
  const name = words[operation];
  return (
    <AskDialog
      title={texts[name]}
      submit={texts[name]}
      look={operation === "cancel" ? "danger" : "main"}
      asksReason
      act={async (reason) => {
        await change.mutateAsync(reason);
        toast(texts.done);
      }}
      onClose={onClose}
    >
      <p>{texts.hint[name]}</p>
    </AskDialog>
  );
}
