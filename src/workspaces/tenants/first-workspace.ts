import type { AdminDeps, By } from "../change/deps.ts";
import { addWorkspace } from "./change-workspace.ts";

/** Creates the first workspace: an installation without one can show and do nothing. */
export async function ensureWorkspace(deps: AdminDeps, by: By): Promise<void> {
  const known = await deps.sql`select from workspaces.workspaces limit 1`;
  if (known.length === 0) await addWorkspace(deps, { name: "Молва" }, by);
}
