import { usePageTexts, useTexts } from "../../texts/index.ts";
import { FormDialog, TextField, textIn, toast } from "../../ui/index.ts";
import { useMemberActions } from "./api.ts";
import { orLastAdmin } from "./last-admin.ts";
import { RoleChoice, roleIn } from "./role-choice.tsx";
import type { Member } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

interface Props {
  readonly workspaceId: string;
  readonly member: Member;
  readonly onClose: () => void;
}

export function ChangeRole({ workspaceId, member, onClose }: Props) {
  const texts = usePageTexts({ ru, en });
  const { common } = useTexts();
  const { setRole } = useMemberActions(workspaceId);
  return (
    <FormDialog
      title={texts.changeRoleTitle(member.login)}
      submit={common.save}
      act={(form) =>
        setRole
          .mutateAsync({ id: member.operator_id, role: roleIn(form), reason: textIn(form, "reason") })
          .catch(orLastAdmin(texts.lastAdmin))
      }
      onDone={({ role }) => toast(texts.roleChanged(member.login, texts.roles[role].name))}
      onClose={onClose}
    >
      {(fault) => (
        <>
          <RoleChoice chosen={member.role} />
          <TextField
            label={common.reason}
            hint={common.reasonHint}
            fault={fault("/reason")}
            name="reason"
            minLength={3}
            maxLength={200}
            required
            autoComplete="off"
          />
        </>
      )}
    </FormDialog>
  );
}
