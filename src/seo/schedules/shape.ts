import { z } from "zod";
import { platformTypes } from "../settings/shape.ts";
import { postsPerDay, weekdays } from "./times.ts";

const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "A time is like 10:00");

/** What a person sets. */
export const wantedSchedule = z.strictObject({
  days: z.array(z.enum(weekdays)).min(1).max(7).describe("mon … sun"),
  times: z
    .array(time)
    .min(postsPerDay.least)
    .max(postsPerDay.most)
    .describe("One to five times of the project's zone, like 10:00"),
  enabled: z.boolean().default(true),
  cross_post_connection_ids: z
    .array(z.int())
    .max(10)
    .optional()
    .describe("Other networks of the project to which its posts are adapted; absent: as before, [] for none"),
});
export type WantedSchedule = z.infer<typeof wantedSchedule>;

export const scheduleSchema = z
  .object({
    id: z.int(),
    category_id: z.int(),
    connection_id: z.int(),
    platform_type: z.enum(platformTypes),
    days: z.array(z.enum(weekdays)),
    times: z.array(z.string()),
    enabled: z.boolean(),
    status: z.enum(["active", "error"]).describe("error: the last publication failed"),
    last_post_at: z.date().nullable(),
    cross_post_connection_ids: z.array(z.int()),
  })
  .meta({ id: "SeoSchedule" });

export const plannedSchema = z
  .object({
    due_at: z.date().describe("UTC"),
    local: z.string().describe("The same in the project's zone: 2026-11-18 10:00"),
    zone: z.string(),
    schedule_id: z.int(),
    project_id: z.int(),
    category_id: z.int(),
    category: z.string(),
    connection_id: z.int(),
    platform: z.enum(platformTypes),
    place: z.string(),
    tokens: z.int().describe("About what it costs, adaptations included"),
    balance_after: z.int().describe("What is left after it and all before it"),
    is_covered: z.boolean().describe("The balance carries it"),
  })
  .meta({ id: "SeoPlanned" });
export type Planned = z.infer<typeof plannedSchema>;

export const planSchema = z
  .object({
    from: z.date(),
    to: z.date(),
    balance: z.int(),
    is_free: z.boolean().describe("An administrator, who pays nothing"),
    tokens: z.int().describe("About what all of it costs"),
    items: z.array(plannedSchema),
  })
  .meta({ id: "SeoSchedulePlan" });
export type SchedulePlan = z.infer<typeof planSchema>;

/** How far ahead a plan may look. */
export const planDays = { usual: 7, most: 31 } as const;
