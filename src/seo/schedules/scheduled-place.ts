/** A schedule with what its autopublications need to know and to tell. */
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { readConnection } from "../connections/connections.ts";
import type { SeoConnection } from "../connections/shape.ts";
import type { ScheduleKey } from "./driver.ts";

export interface ScheduledPlace extends ScheduleKey {
  readonly userId: number;
  readonly projectId: number;
  readonly categoryId: number;
  readonly categoryName: string;
  readonly connectionId: number;
  readonly connection: SeoConnection;
  readonly enabled: boolean;
  readonly errors: number;
  readonly crossTo: readonly number[];
  /** The person wants to hear of publications. */
  readonly wantsReports: boolean;
}

/** Undefined if the schedule is gone. */
export async function readScheduledPlace(
  sql: Sql | Transaction,
  { workspaceId, scheduleId }: ScheduleKey,
): Promise<ScheduledPlace | undefined> {
  const [place] = await sql<Omit<ScheduledPlace, "connection" | keyof ScheduleKey>[]>`
    select p.user_id as "userId", p.id as "projectId", c.id as "categoryId", c.name as "categoryName",
      s.connection_id as "connectionId", s.enabled, s.errors, s.cross_post_connection_ids as "crossTo",
      u.notify_publications as "wantsReports"
    from seo.platform_schedules s
    join seo.categories c on c.workspace_id = s.workspace_id and c.id = s.category_id
    join seo.projects p on p.workspace_id = c.workspace_id and p.id = c.project_id
    join seo.users u on u.workspace_id = p.workspace_id and u.id = p.user_id
    where s.workspace_id = ${workspaceId} and s.id = ${scheduleId}`;
  if (!place) return undefined;
  const connection = await readConnection(sql, { workspaceId, userId: place.userId }, place.connectionId);
  return { workspaceId, scheduleId, ...place, connection };
}
