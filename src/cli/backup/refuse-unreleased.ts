import { readRestored } from "../../kernel/backup/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { moment, UserError } from "../../terminal/index.ts";

/** A server on a restored database would send again what was sent after the backup. */
export async function refuseUnreleased(sql: Sql): Promise<void> {
  const restored = await readRestored(sql);
  if (restored)
    throw new UserError(
      `The database was restored from backup ${restored.backup} and is not released yet: what was sent after ${moment(restored.taken_at)} would be sent again. ` +
        "Look at it (`molva delivery list`), then run `molva restore release`, or `molva restore release --paused` to look around in the console first.",
    );
}
