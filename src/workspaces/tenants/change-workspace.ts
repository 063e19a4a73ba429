import { noteAudit } from "../../audit/index.ts";
import type { AdminDeps, By } from "../change/deps.ts";
import { differences, isEmpty } from "../change/differences.ts";
import { inOneChange } from "../change/in-one-change.ts";
import { mergePatch } from "../change/merge-patch.ts";
import { noteChange } from "../change/note-change.ts";
import { ofInstallation } from "./of-installation.ts";
import { readWorkspace } from "./read-workspaces.ts";
import type { NewWorkspace, Workspace, WorkspaceChanges, WorkspaceStatus } from "./workspace-shape.ts";

export async function addWorkspace(
  { sql, clock }: AdminDeps,
  { name, timezone = "Europe/Moscow", settings = {} }: NewWorkspace,
  by: By,
): Promise<Workspace> {
  const now = clock.now();
  return inOneChange(sql, async (tx) => {
    const [made] = await tx<[{ workspace_id: string }]>`
      insert into workspaces.workspaces (workspace_id, name, timezone, settings, created_at, updated_at)
      values (molva.uuidv7(${now}), ${name}, ${timezone}, ${JSON.stringify(mergePatch({}, settings))}::text::jsonb, ${now}, ${now})
      returning workspace_id`;
    const meta = { object: "workspace", created: true, name };
    await noteChange(tx, { workspaceId: made.workspace_id, now, by, meta });
    await noteAudit(tx, ofInstallation("workspace.created", made.workspace_id, by, { name }), now);
    return readWorkspace(tx, made.workspace_id);
  });
}

export async function changeWorkspace(
  deps: AdminDeps,
  workspaceId: string,
  changes: WorkspaceChanges,
  by: By,
): Promise<Workspace> {
  return changed(deps, workspaceId, changes, by);
}

/** Pauses, resumes or disables a whole workspace; waiting deliveries stay in the queue. */
export async function setWorkspaceStatus(
  deps: AdminDeps,
  workspaceId: string,
  status: WorkspaceStatus,
  by: By,
): Promise<Workspace> {
  return changed(deps, workspaceId, { status }, by);
}

async function changed(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  fields: WorkspaceChanges & { status?: WorkspaceStatus },
  by: By,
): Promise<Workspace> {
  const now = clock.now();
  return inOneChange(sql, async (tx) => {
    await tx`select from workspaces.workspaces where workspace_id = ${workspaceId} for no key update`;
    const before = await readWorkspace(tx, workspaceId);
    const asked = fields.settings
      ? { ...fields, settings: mergePatch(before.settings, fields.settings) }
      : fields;
    await tx`
      update workspaces.workspaces w
      set (name, timezone, settings, status) = (
            select r.name, r.timezone, r.settings, r.status
            from jsonb_populate_record(w, ${JSON.stringify(asked)}::text::jsonb) r),
          updated_at = ${now}
      where w.workspace_id = ${workspaceId}`;
    const after = await readWorkspace(tx, workspaceId);
    const changes = differences(before, after);
    if (!isEmpty(changes))
      await noteChange(tx, { workspaceId, now, by, meta: { object: "workspace", changes } });
    return after;
  });
}
