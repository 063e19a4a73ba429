import { ShownOnce, useMade } from "../../secrets/index.ts";
import { usePageTexts } from "../../texts/index.ts";
import { FormDialog, TextField, textIn } from "../../ui/index.ts";
import { useInvitationActions } from "./api.ts";
import { RoleChoice, roleIn } from "./role-choice.tsx";
import type { Invited } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

/** Asks whom and as what, then shows the link, which nobody can show again. */
export function Invite({ workspaceId, onClose }: { workspaceId: string; onClose: () => void }) {
  const texts = usePageTexts({ ru, en });
  const { invite } = useInvitationActions(workspaceId);
  const { made, keep, closeAsking } = useMade<Invited>(onClose);
  if (made)
    return (
      <ShownOnce
        title={texts.invitedTitle(made.login)}
        hint={texts.linkHint}
        secrets={[{ text: made.url }]}
        onClose={onClose}
      />
    );
  return (
    <FormDialog
      title={texts.invite}
      submit={texts.submitInvite}
      act={(form) => invite.mutateAsync({ login: textIn(form, "login"), role: roleIn(form) })}
      onDone={keep}
      onClose={closeAsking}
    >
      {(fault) => (
        <>
          <TextField
            label={texts.login}
            hint={texts.loginHint}
            fault={fault("/login")}
            name="login"
            maxLength={64}
            pattern=".*\S.*"
            required
            autoFocus
            autoComplete="off"
          />
          <RoleChoice chosen="operator" />
        </>
      )}
    </FormDialog>
  );
}
