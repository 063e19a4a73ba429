import type { Sql } from "../../kernel/db/index.ts";
import type { BeforeDelete } from "../projects/delete.ts";
import { drivenSchedules, type ScheduleDriver } from "./driver.ts";

/** Schedules of what is deleted are cancelled first: a cascade tells nobody (E11, E24). */
export function cancelSchedules(sql: Sql, driver: ScheduleDriver): BeforeDelete {
  return {
    name: "cancel schedules",
    async run({ whose, projectId, categoryId = null, connectionId = null }) {
      const { workspaceId, userId } = whose;
      const doomed = await drivenSchedules(
        sql,
        sql`s.workspace_id = ${workspaceId} and p.user_id = ${userId} and p.id = ${projectId}
          and s.category_id = coalesce(${categoryId}, s.category_id)
          and s.connection_id = coalesce(${connectionId}, s.connection_id)`,
      );
      await driver.cancel(doomed);
    },
  };
}
