import { useQuery } from "@tanstack/react-query";
import { useChange } from "../../api/index.ts";
import { useTexts } from "../../texts/index.ts";
import { AskDialog, Notice, toast, wordsOf } from "../../ui/index.ts";
import { Plan } from "./plan.tsx";
import { type Subject, topics, withdraw } from "./requests.ts";
import { usePostsTexts } from "./use-posts-texts.ts";

interface Props {
  readonly workspaceId: string;
  readonly subject: Subject;
  readonly onClose: () => void;
}

/** Lists what can be taken back and what cannot, then takes it back. */
export function WithdrawDialog({ workspaceId, subject, onClose }: Props) {
  const all = useTexts();
  const texts = usePostsTexts();
  const rehearsal = useQuery({
    queryKey: ["rehearsal", "withdraw", workspaceId, subject],
    queryFn: () => withdraw(workspaceId, subject, { reason: "", rehearse: true }),
    ...{ gcTime: 0, staleTime: 0 },
  });
  const change = useChange((reason: string) => withdraw(workspaceId, subject, { reason }), topics);
  return (
    <AskDialog
      title={texts.actions.withdraw}
      submit={texts.actions.withdraw}
      look="danger"
      asksReason
      mayAct={(rehearsal.data?.changed ?? 0) > 0}
      act={async (reason) => {
        const { changed } = await change.mutateAsync(reason);
        toast(texts.actions.asked.withdraw(changed));
      }}
      onClose={onClose}
    >
      <p>{texts.actions.hint.withdraw}</p>
      {rehearsal.error && <Notice tone="bad">{wordsOf(rehearsal.error, all)}</Notice>}
      {rehearsal.data && <Plan plan={rehearsal.data} />}
      {rehearsal.isPending && <p role="status">{texts.bulk.counting}</p>}
    </AskDialog>
  );
}
