import { z } from "zod";
import { plannedSchema } from "../../workspaces/index.ts";
import { type Reason, reasons } from "../deliveries/reasons.ts";
import { statuses } from "../deliveries/statuses.ts";
import { namedChannelSchema } from "../read/channel-name.ts";

/** The most deliveries and other things that one plan looks at. */
export const mostPlanned = 5_000;
export const planDays = { usual: 7, most: 35 } as const;

export const fates = ["sent", "dropped", "held", "stopped", "later"] as const;

const reason = z.enum(Object.keys(reasons).filter((word): word is Reason => word in reasons));

/** What will become of a delivery. */
const fateSchema = z.object({
  fate: z
    .enum(fates)
    .describe(
      "dropped, held: it will be too old for its channel; stopped: only a person lets it go; later: after `to`",
    ),
  at: z.date().nullable(),
  local: z.string().nullable().describe("The same on the clock of `zone`"),
  reason: reason.describe("What decides the time, in the words of `why`"),
});

const local = z.string().describe("`at` on the clock of `zone`");

const waiting = z.object({
  id: z.string(),
  message_id: z.string(),
  channel: namedChannelSchema,
  zone: z.string(),
  snippet: z.string(),
  status: z.enum(statuses),
  attempt: z.int(),
});

export const plannedDeliverySchema = waiting.extend({ ...fateSchema.shape, due_at: z.date() });
export type PlannedDelivery = z.infer<typeof plannedDeliverySchema>;

const entry = plannedSchema.extend({
  local,
  delivery: plannedDeliverySchema
    .pick({ message_id: true, status: true, attempt: true, fate: true, reason: true, due_at: true })
    .nullable(),
});
export type PlanEntry = z.infer<typeof entry>;

const heldSchema = waiting.extend({ held_at: z.date(), hold_reason: z.string() });
export type HeldDelivery = z.infer<typeof heldSchema>;

const range = {
  at: z.date().describe("When the plan was made"),
  from: z.date(),
  to: z.date(),
  zone: z.string().describe("The workspace's"),
  truncated: z.boolean().describe(`More than ${mostPlanned} wait; only the first of them are planned`),
};

export const planSchema = z
  .object({
    ...range,
    items: z.array(entry).describe("In the order of time"),
    stopped: z.array(plannedDeliverySchema).describe("What only a person can let go, 200 at most"),
    held: z.array(heldSchema).describe("What is kept back, 200 at most"),
    counts: z.object({ items: z.int(), later: z.int(), stopped: z.int(), held: z.int() }),
  })
  .meta({ id: "Plan" });
export type Plan = z.infer<typeof planSchema>;

export const directions = ["earlier", "later", "never", "again"] as const;

const movedSchema = waiting.extend({
  change: z.enum(directions).describe("never: it would not go out any more; again: it would go out now"),
  before: fateSchema,
  after: fateSchema,
});
export type Moved = z.infer<typeof movedSchema>;

export const comparisonSchema = z
  .object({
    ...range,
    counts: z.object({
      earlier: z.int(),
      later: z.int(),
      never: z.int(),
      again: z.int(),
      same: z.int(),
    }),
    items: z.array(movedSchema).describe("Deliveries whose time changes by a second or more"),
  })
  .meta({ id: "PlanComparison" });
export type Comparison = z.infer<typeof comparisonSchema>;
