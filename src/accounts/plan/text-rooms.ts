import type { Sql } from "../../kernel/db/index.ts";
import type { AccountKey, Governor, TextRoom } from "../work/governor.ts";
import type { FreshTask } from "./write-plan.ts";

/** How often each task's text may be published today; what goes beyond would only wait until tomorrow. */
export async function textRoomsFor(
  sql: Sql,
  governor: Governor,
  account: AccountKey,
  tasks: readonly FreshTask[],
): Promise<(task: FreshTask) => TextRoom> {
  const endless = ({ objectId }: FreshTask) => ({ key: objectId, copies: tasks.length });
  if (!governor.textRooms || tasks.length === 0) return endless;
  const objectIds = [...new Set(tasks.map(({ objectId }) => objectId))];
  const texts = await sql<{ object_id: string; text: string }[]>`
    select o.id as object_id, coalesce(o.texts ->> coalesce(c.format, 'default'), o.texts ->> 'default', '') as text
    from accounts.objects o
    left join accounts.autopublish c on c.workspace_id = o.workspace_id and c.object_id = o.id
    where o.workspace_id = ${account.workspaceId} and o.id in ${sql(objectIds)}`;
  const rooms = await governor.textRooms(
    account,
    texts.map(({ text }) => text),
  );
  const known = new Map(texts.map(({ object_id }, index) => [object_id, rooms[index]]));
  return (task) => known.get(task.objectId) ?? endless(task);
}
