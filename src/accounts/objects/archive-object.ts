import { inOneChange, noteChange } from "../../workspaces/index.ts";
import type { Who } from "../admin/access.ts";
import type { AutopublishDeps } from "../admin/autopublish.ts";
import { cancelBotPosts } from "../bots/post-object.ts";
import { wordsOf } from "../reasons/task-reasons.ts";
import type { PublishedObject } from "./object-schema.ts";
import { lockObject, readObject } from "./objects.ts";

/** Archives or restores an object; archiving cancels its pending tasks and bot posts. */
export async function archiveObject(
  { sql, clock, bots }: AutopublishDeps,
  workspaceId: string,
  id: string,
  archived: boolean,
  who: Who,
): Promise<PublishedObject> {
  const now = clock.now();
  return inOneChange(sql, async (tx) => {
    const before = await lockObject(tx, workspaceId, id, who);
    if ((before.archived_at !== null) === archived) return before;
    await tx`
      update accounts.objects set archived_at = ${archived ? now : null}, updated_at = ${now}
      where workspace_id = ${workspaceId} and id = ${id}`;
    if (archived) {
      await tx`
        select accounts.cancel_tasks(${workspaceId}, ${JSON.stringify({ object_id: id })}::text::jsonb, 'object_archived',
          ${wordsOf("object_archived")}, ${who.operator}, ${now})`;
      await cancelBotPosts({ sql: tx, clock: bots.clock }, workspaceId, id, who.operator);
    }
    await noteChange(tx, { workspaceId, now, by: who, meta: { object: "published_object", id, archived } });
    return readObject(tx, workspaceId, id, who);
  });
}
