import { useState } from "react";
import { useList } from "../../api/index.ts";
import { usePageTexts, useTexts } from "../../texts/index.ts";
import { AskDialog, Badge, Button, type Column, Empty, Moment, Table, toast } from "../../ui/index.ts";
import { topics, useMemberActions } from "./api.ts";
import { ChangeRole } from "./change-role.tsx";
import { orLastAdmin } from "./last-admin.ts";
import { type Member, member } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

type Doing = { readonly what: "role" | "remove"; readonly member: Member };

export function Members({ workspaceId, ownId }: { workspaceId: string; ownId: string }) {
  const texts = usePageTexts({ ru, en });
  const { common } = useTexts();
  const list = useList("/members", { workspace_id: workspaceId }, member, { topic: topics.members });
  const [doing, setDoing] = useState<Doing | null>(null);
  const { remove } = useMemberActions(workspaceId);
  const columns: Column<Member>[] = [
    {
      title: texts.who,
      grows: true,
      cell: ({ name, login, operator_id }) => (
        <>
          <span className="breaks">{name || login}</span>{" "}
          {operator_id === ownId && <Badge tone="busy">{texts.you}</Badge>}
          {name && <div className="soft breaks">{login}</div>}
        </>
      ),
    },
    {
      title: texts.role,
      cell: ({ role, disabled }) => (
        <>
          {texts.roles[role].name} {disabled && <Badge tone="warn">{texts.disabled}</Badge>}
        </>
      ),
    },
    { title: texts.since, cell: ({ created_at }) => <Moment at={created_at} /> },
    {
      title: common.actions,
      quietTitle: true,
      align: "right",
      cell: (row) => (
        <span className="badges">
          <Button
            look="quiet"
            aria-label={texts.changeRoleOf(row.login)}
            onClick={() => setDoing({ what: "role", member: row })}
          >
            {texts.changeRole}
          </Button>
          <Button
            look="quiet"
            aria-label={texts.removeOf(row.login)}
            onClick={() => setDoing({ what: "remove", member: row })}
          >
            {texts.remove}
          </Button>
        </span>
      ),
    },
  ];
  return (
    <section className="stack" aria-label={texts.members}>
      <h2>{texts.members}</h2>
      <Table
        label={texts.members}
        columns={columns}
        rows={list.items}
        keyOf={({ operator_id }) => operator_id}
        error={list.error}
        onRetry={list.refetch}
        more={list}
        empty={<Empty title={texts.empty} hint={texts.emptyHint} />}
      />
      {doing?.what === "role" && (
        <ChangeRole workspaceId={workspaceId} member={doing.member} onClose={() => setDoing(null)} />
      )}
      {doing?.what === "remove" && (
        <AskDialog
          title={texts.removeTitle(doing.member.login)}
          submit={texts.remove}
          look="danger"
          asksReason
          act={(reason) =>
            remove.mutateAsync({ id: doing.member.operator_id, reason }).catch(orLastAdmin(texts.lastAdmin))
          }
          onDone={() => toast(texts.removed(doing.member.login))}
          onClose={() => setDoing(null)}
        >
          <p>{texts.removeHint}</p>
        </AskDialog>
      )}
    </section>
  );
}
