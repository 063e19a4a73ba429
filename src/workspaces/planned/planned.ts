import { z } from "zod";
import type { Sql } from "../../kernel/db/index.ts";

/** What a product will publish by itself at a known time: an article of a schedule, an object through an account. */
export const plannedSchema = z.object({
  kind: z.enum(["delivery", "article", "post", "object"]),
  id: z.string(),
  at: z.date(),
  zone: z.string().describe("The time zone of its channel or schedule, else the workspace's"),
  channel: z
    .object({ id: z.string().nullable(), title: z.string().nullable(), platform: z.string() })
    .describe("Where it goes; without an id it is not a channel of Molva"),
  title: z.string(),
  what: z.string().describe("What it is, in a few words"),
  note: z.string().nullable().describe("What may still keep it back"),
});
export type Planned = z.infer<typeof plannedSchema>;

export interface PlanQuestion {
  readonly workspaceId: string;
  readonly from: Date;
  readonly to: Date;
  readonly now: Date;
  readonly channelId?: string | undefined;
  /** The soonest, so many at most. */
  readonly limit: number;
}

/** A module's part of the plan. It reads and changes nothing. */
export type PlanSource = (sql: Sql, question: PlanQuestion) => Promise<readonly Planned[]>;
