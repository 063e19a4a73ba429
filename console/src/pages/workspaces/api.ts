import { ask, tell, useChange, withQuery } from "../../api/index.ts";
import { tenant } from "./shapes.ts";

export const topic = "workspaces";

/** The top bar knows workspaces from the session. */
const changed = [topic, "session", "overview"];

interface Fields {
  readonly name: string;
  readonly timezone: string;
}

/** Everything of a large workspace takes its time to delete. */
const removalPatienceMs = 120_000;

export function useWorkspaceActions() {
  const at = (id: string, verb = "", query = {}) =>
    withQuery(`/workspaces/${encodeURIComponent(id)}${verb}`, query);
  return {
    create: useChange((body: Fields) => ask("/workspaces", tenant, { method: "POST", body }), changed),
    change: useChange(
      ({ id, ...body }: Fields & { id: string }) => ask(at(id), tenant, { method: "PATCH", body }),
      changed,
    ),
    setStatus: useChange(
      ({ id, verb, reason }: { id: string; verb: "pause" | "resume" | "disable"; reason: string }) =>
        ask(at(id, `/${verb}`), tenant, { method: "POST", body: { reason } }),
      changed,
    ),
    remove: useChange(
      ({ id, name, reason }: { id: string; name: string; reason: string }) =>
        tell(at(id, "", { name, reason }), { method: "DELETE", patienceMs: removalPatienceMs }),
      changed,
    ),
  };
}

/** The browser saves the answer as it comes, however large it is. */
export function downloadExport(id: string, reason: string): void {
  const link = document.createElement("a");
  link.href = withQuery(`/api/v1/workspaces/${encodeURIComponent(id)}/export`, { reason });
  link.download = "";
  document.body.append(link);
  link.click();
  link.remove();
}
