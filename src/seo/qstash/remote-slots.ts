/** The slots of a schedule as schedules at QStash: one for each time of the day. Pure. */
import { createHash } from "node:crypto";
import type { DrivenSchedule } from "../schedules/driver.ts";
import type { Weekday } from "../schedules/times.ts";
import type { RemoteSchedule } from "./client.ts";

/** After so many the message is given up. */
const retries = 3;
const cronDays: Readonly<Record<Weekday, number>> = {
  sun: 0,
  mon: 1,
  tue: 2,
  wed: 3,
  thu: 4,
  fri: 5,
  sat: 6,
};

export const publishPath = "/api/publish";

/** Begins the ids of one installation: an account of QStash may serve several. */
export function idPrefix(publicUrl: string): string {
  return `molva-${createHash("sha256").update(publicUrl).digest("hex").slice(0, 8)}-`;
}

export function remoteSlots(schedule: DrivenSchedule, publicUrl: string): readonly RemoteSchedule[] {
  if (!schedule.enabled || schedule.days.length === 0) return [];
  return schedule.times.map((time) => ({
    id: `${idPrefix(publicUrl)}${schedule.workspaceId}-${schedule.scheduleId}-${time.replace(":", "")}`,
    cron: cronOf(schedule, time),
    destination: `${publicUrl}${publishPath}`,
    body: bodyOf(schedule, time),
    retries,
  }));
}

/** In the project's zone, so that summer time and days are right. */
export function cronOf({ days, zone }: Pick<DrivenSchedule, "days" | "zone">, time: string): string {
  const [hour, minute] = time.split(":").map(Number);
  const numbers = days.map((day) => cronDays[day]).toSorted((one, other) => one - other);
  return `CRON_TZ=${zone} ${minute} ${hour} * * ${numbers.join(",")}`;
}

function bodyOf(schedule: DrivenSchedule, time: string) {
  const { workspaceId, scheduleId, categoryId, connectionId, platformType, userId, projectId } = schedule;
  return {
    ...{ schedule_id: scheduleId, category_id: categoryId, connection_id: connectionId },
    ...{ platform_type: platformType, user_id: userId, project_id: projectId },
    // For logs; what is published once is decided by schedule, date and slot.
    idempotency_key: `pub_${scheduleId}_${time}`,
    ...{ workspace_id: workspaceId, slot: time },
  };
}
