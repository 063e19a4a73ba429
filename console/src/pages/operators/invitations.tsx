import { useState } from "react";
import { useList } from "../../api/index.ts";
import { usePageTexts, useTexts } from "../../texts/index.ts";
import { AskDialog, Button, type Column, Moment, Table, toast } from "../../ui/index.ts";
import { topics, useInvitationActions } from "./api.ts";
import { type Invitation, invitation, roles } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

/** Links that were given and not used yet. */
export function Invitations({ workspaceId }: { workspaceId: string }) {
  const texts = usePageTexts({ ru, en });
  const { common } = useTexts();
  const list = useList("/invitations", { workspace_id: workspaceId }, invitation, {
    topic: topics.invitations,
  });
  const { revoke } = useInvitationActions(workspaceId);
  const [revoking, setRevoking] = useState<Invitation | null>(null);
  const columns: Column<Invitation>[] = [
    { title: texts.whom, grows: true, cell: ({ login }) => <span className="breaks">{login}</span> },
    {
      title: texts.role,
      cell: ({ role }) => {
        const known = roles.find((each) => each === role);
        return known ? texts.roles[known].name : role;
      },
    },
    { title: texts.sentAt, cell: ({ created_at }) => <Moment at={created_at} /> },
    { title: texts.until, cell: ({ expires_at }) => <Moment at={expires_at} /> },
    {
      title: common.actions,
      quietTitle: true,
      align: "right",
      cell: (row) => (
        <Button look="quiet" aria-label={texts.revokeOf(row.login)} onClick={() => setRevoking(row)}>
          {texts.revoke}
        </Button>
      ),
    },
  ];
  return (
    <section className="stack" aria-label={texts.invitations}>
      <h2>{texts.invitations}</h2>
      <Table
        label={texts.invitations}
        columns={columns}
        rows={list.items}
        keyOf={({ id }) => id}
        error={list.error}
        onRetry={list.refetch}
        more={list}
        empty={<p className="soft">{texts.noInvitations}</p>}
      />
      {revoking && (
        <AskDialog
          title={texts.revokeTitle(revoking.login)}
          submit={texts.revoke}
          look="danger"
          asksReason
          act={(reason) => revoke.mutateAsync({ id: revoking.id, reason })}
          onDone={() => toast(texts.revoked(revoking.login))}
          onClose={() => setRevoking(null)}
        >
          <p>{texts.revokeHint}</p>
        </AskDialog>
      )}
    </section>
  );
}
