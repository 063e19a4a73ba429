import { ask, tell, useChange, withQuery } from "../../api/index.ts";
import { type MonitorSettings, monitorSettings, target, tested } from "./shapes.ts";

export const topic = "alerts";

/** A mail server or a chat may take its time to answer. */
const testPatienceMs = 40_000;

export function useAlertActions(workspaceId: string) {
  const at = (path: string, query = {}) => withQuery(path, { workspace_id: workspaceId, ...query });
  const one = (id: string) => `/alert_targets/${encodeURIComponent(id)}`;
  return {
    add: useChange((body: object) => ask(at("/alert_targets"), target, { method: "POST", body }), [topic]),
    change: useChange(
      ({ id, body }: { id: string; body: object }) => ask(at(one(id)), target, { method: "PATCH", body }),
      [topic],
    ),
    remove: useChange(
      ({ id, reason }: { id: string; reason: string }) => tell(at(one(id), { reason }), { method: "DELETE" }),
      [topic],
    ),
    test: useChange(
      (id: string) =>
        ask(at(`${one(id)}/test`), tested, { method: "POST", body: {}, patienceMs: testPatienceMs }),
      [topic],
    ),
    setMonitor: useChange(
      (body: Partial<MonitorSettings>) =>
        ask(at("/monitor/settings"), monitorSettings, { method: "PATCH", body }),
      [topic],
    ),
  };
}
