import type { AuditEntry } from "../../audit/index.ts";
import type { By } from "../change/deps.ts";

/** An entry about a workspace in the audit of the installation: that workspaces come and go concerns who runs all of them. */
export function ofInstallation(
  action: string,
  workspaceId: string,
  { actor = { kind: "system", id: null }, address, operator, reason }: By,
  meta: Readonly<Record<string, unknown>>,
): AuditEntry {
  const subject = { kind: "workspace", id: workspaceId };
  return {
    workspaceId: null,
    actor,
    action,
    subject,
    result: "ok",
    address,
    meta: { operator, reason, ...meta },
  };
}
