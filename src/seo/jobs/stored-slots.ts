import type { Sql } from "../../kernel/db/index.ts";
import { fireSlot } from "../schedules/driver.ts";
import type { SlotPublisher } from "./publish-job.ts";

/** Slots as the autopublisher takes them up. */
export function storedSlots(sql: Sql): SlotPublisher {
  return {
    fire: (slot, now) => fireSlot(sql, slot, now),
    async hasBegun({ workspaceId, scheduleId, localDate, slot }) {
      const [waiting] = await sql`
        select from seo.autopublications a
        where a.workspace_id = ${workspaceId} and a.schedule_id = ${scheduleId} and a.local_date = ${localDate}::text::date
          and a.slot = ${slot} and a.state = 'waiting' and a.started_at is null`;
      return waiting === undefined;
    },
  };
}
