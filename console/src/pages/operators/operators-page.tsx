import { UserPlus } from "lucide-react";
import { useState } from "react";
import type { WorkspacePageProps } from "../../shell/index.ts";
import { usePageTexts } from "../../texts/index.ts";
import { Button, Page } from "../../ui/index.ts";
import { Invitations } from "./invitations.tsx";
import { Invite } from "./invite.tsx";
import { Members } from "./members.tsx";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

export function OperatorsPage({ workspace, session }: WorkspacePageProps) {
  const texts = usePageTexts({ ru, en });
  const [inviting, setInviting] = useState(false);
  const mayManage = workspace.scopes.includes("admin");
  return (
    <Page
      title={texts.title}
      lead={texts.lead(workspace.name)}
      aside={
        mayManage && (
          <Button look="main" icon={<UserPlus aria-hidden="true" />} onClick={() => setInviting(true)}>
            {texts.invite}
          </Button>
        )
      }
    >
      {mayManage ? (
        <>
          <Members workspaceId={workspace.id} ownId={session.operator.id} />
          <Invitations workspaceId={workspace.id} />
        </>
      ) : (
        <p>{texts.notHere}</p>
      )}
      {inviting && <Invite workspaceId={workspace.id} onClose={() => setInviting(false)} />}
    </Page>
  );
}
