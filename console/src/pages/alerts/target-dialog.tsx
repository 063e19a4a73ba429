import { useState } from "react";
import { usePageTexts, useTexts } from "../../texts/index.ts";
import { CheckField, FormDialog, SelectField, toast } from "../../ui/index.ts";
import { useAlertActions } from "./api.ts";
import { type Target, type TargetKind, targetKinds } from "./shapes.ts";
import { targetIn } from "./target-body.ts";
import { TargetFields } from "./target-fields.tsx";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

interface Props {
  readonly workspaceId: string;
  /** Absent for a new one. */
  readonly target?: Target;
  readonly onClose: () => void;
}

export function TargetDialog({ workspaceId, target, onClose }: Props) {
  const texts = usePageTexts({ ru, en });
  const { common } = useTexts();
  const { add, change } = useAlertActions(workspaceId);
  const [kind, setKind] = useState<TargetKind>(target?.kind ?? "telegram");
  return (
    <FormDialog
      title={target ? texts.changeTitle : texts.add}
      submit={target ? common.save : texts.submitAdd}
      act={(form) =>
        target
          ? change.mutateAsync({ id: target.target_id, body: targetIn(form, kind, target) })
          : add.mutateAsync({ kind, ...targetIn(form, kind) })
      }
      onDone={() => toast(target ? common.saved : texts.added)}
      onClose={onClose}
    >
      {(fault) => (
        <>
          {!target && (
            <SelectField
              label={texts.kind}
              value={kind}
              onChange={(event) => setKind(targetKinds.find((each) => each === event.target.value) ?? kind)}
            >
              {targetKinds.map((each) => (
                <option key={each} value={each}>
                  {texts.kinds[each]}
                </option>
              ))}
            </SelectField>
          )}
          <TargetFields kind={kind} target={target} fault={fault} />
          <SelectField
            label={texts.language}
            name="language"
            defaultValue={target?.language ?? texts.usualLanguage}
          >
            <option value="ru">Русский</option>
            <option value="en">English</option>
          </SelectField>
          <CheckField
            label={texts.enabled}
            hint={texts.enabledHint}
            name="enabled"
            defaultChecked={target?.enabled ?? true}
          />
        </>
      )}
    </FormDialog>
  );
}
