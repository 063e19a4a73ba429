import { z } from "zod";
import { idText, wholeId } from "../../../http/index.ts";
import type { Sql } from "../../../kernel/db/index.ts";
import { idColumns } from "../../id-columns.ts";

/** The channel that a path names. */
export const channelParams = z.object({ channel_id: idText });

export function channelIn(
  sql: Sql,
  workspaceId: string,
  { channel_id }: z.infer<typeof channelParams>,
): Promise<string> {
  return wholeId(sql, workspaceId, idColumns.channel, channel_id, "/channel_id");
}
