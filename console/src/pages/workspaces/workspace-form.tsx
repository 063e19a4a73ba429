import { usePageTexts, useTexts } from "../../texts/index.ts";
import { FormDialog, TextField, textIn, toast } from "../../ui/index.ts";
import { useWorkspaceActions } from "./api.ts";
import type { Tenant } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

/** A new workspace, or another name and zone for one. */
export function WorkspaceForm({ workspace, onClose }: { workspace?: Tenant; onClose: () => void }) {
  const texts = usePageTexts({ ru, en });
  const { common } = useTexts();
  const { create, change } = useWorkspaceActions();
  return (
    <FormDialog
      title={workspace ? texts.changeTitle(workspace.name) : texts.create}
      submit={workspace ? common.save : texts.submitCreate}
      act={(form) => {
        const fields = { name: textIn(form, "name"), timezone: textIn(form, "timezone") };
        return workspace
          ? change.mutateAsync({ id: workspace.workspace_id, ...fields })
          : create.mutateAsync(fields);
      }}
      onDone={({ name }) => toast(workspace ? common.saved : texts.made(name))}
      onClose={onClose}
    >
      {(fault) => (
        <>
          <TextField
            label={texts.name}
            fault={fault("/name")}
            name="name"
            maxLength={200}
            pattern=".*\S.*"
            required
            autoFocus
            autoComplete="off"
            defaultValue={workspace?.name}
          />
          <TextField
            label={texts.zone}
            hint={texts.zoneHint}
            fault={fault("/timezone")}
            name="timezone"
            maxLength={100}
            required
            list="zones"
            autoComplete="off"
            defaultValue={workspace?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone}
          />
          <datalist id="zones">
            {Intl.supportedValuesOf("timeZone").map((zone) => (
              <option key={zone} value={zone} />
            ))}
          </datalist>
        </>
      )}
    </FormDialog>
  );
}
