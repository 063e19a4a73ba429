import type { Sql } from "../../kernel/db/index.ts";
import type { BeforeDelete, Doomed } from "../projects/delete.ts";
import { arrangeAnew, drivenSchedules, type ScheduleDriver } from "./driver.ts";

/** Schedules of what is deleted are cancelled first: a cascade tells nobody (E11, E24). */
export function cancelSchedules(sql: Sql, driver: ScheduleDriver): BeforeDelete {
  const schedulesOf = ({ whose, projectId, categoryId, connectionId }: Doomed) =>
    drivenSchedules(
      sql,
      sql`s.workspace_id = ${whose.workspaceId} and p.user_id = ${whose.userId} and p.id = ${projectId}
        and s.category_id = coalesce(${categoryId ?? null}, s.category_id)
        and s.connection_id = coalesce(${connectionId ?? null}, s.connection_id)`,
    );
  return {
    name: "cancel schedules",
    async run(doomed) {
      await driver.cancel(await schedulesOf(doomed));
    },
    async restore(doomed) {
      await arrangeAnew(sql, await schedulesOf(doomed));
    },
  };
}
