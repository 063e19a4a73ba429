import type { Sql } from "../../../kernel/db/index.ts";
import { type AdminDeps, type By, differences, isEmpty, noteChange } from "../../../workspaces/index.ts";
import { thresholdsOf } from "../../monitor/findings.ts";
import { inOneChange } from "../change.ts";
import type { MonitorSettings, MonitorSettingsChanges } from "./monitor-shape.ts";

export async function readMonitorSettings(sql: Sql, workspaceId: string): Promise<MonitorSettings> {
  return thresholdsOf(sql, workspaceId, {});
}

/** They apply from the next round on. Null restores a default. */
export async function setMonitorSettings(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  changes: MonitorSettingsChanges,
  by: By,
): Promise<MonitorSettings> {
  const now = clock.now();
  return inOneChange(sql, async (tx) => {
    await tx`select from workspaces.workspaces where workspace_id = ${workspaceId} for no key update`;
    const before = await thresholdsOf(tx, workspaceId, {});
    const defaults = await thresholdsOf(tx, undefined, {});
    const after = {
      failed_permanent_threshold: chosen("failed_permanent_threshold"),
      paused_channels_threshold: chosen("paused_channels_threshold"),
      alert_cooldown_seconds: chosen("alert_cooldown_seconds"),
    };
    await tx`
      insert into delivery.monitor_settings ${tx({ workspace_id: workspaceId, ...after, updated_at: now })}
      on conflict (workspace_id) do update set ${tx({ ...after, updated_at: now })}`;
    const changed = differences(before, after);
    if (!isEmpty(changed))
      await noteChange(tx, { workspaceId, now, by, meta: { object: "monitor_settings", changes: changed } });
    return after;

    function chosen(name: keyof MonitorSettings): number {
      const given = changes[name];
      return given === null ? defaults[name] : (given ?? before[name]);
    }
  });
}
