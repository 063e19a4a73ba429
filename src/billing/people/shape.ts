import { z } from "zod";

/** A Telegram id in a path or a query, which are text. */
export const userId = z
  .string()
  .regex(/^[1-9]\d{0,15}$/, "The person's Telegram id: a whole number above zero")
  .transform(Number);

export const personSchema = z
  .object({
    user_id: z.int().describe("The Telegram id"),
    balance: z.int().describe("Below zero only after a payment was refunded"),
    held: z.int().describe("Held for work whose outcome is not known yet"),
    created_at: z.date(),
  })
  .meta({ id: "BillingPerson" });
export type Person = z.infer<typeof personSchema>;

export const movementSchema = z
  .object({
    id: z.int(),
    amount: z.int().describe("Below zero: spent; above: got"),
    operation_type: z.string(),
    description: z.string().nullable(),
    run: z.string().nullable(),
    created_at: z.date(),
  })
  .meta({ id: "BillingMovement" });
export type Movement = z.infer<typeof movementSchema>;

/** The kinds of the specification's history screen. */
export const movementKinds = ["spent", "bought", "returned"] as const;

export const holdStates = ["held", "settled", "returned"] as const;
export const holdSchema = z
  .object({
    run: z.string().describe("The piece of work"),
    step: z.string(),
    user_id: z.int(),
    operation: z.string(),
    charged: z.int().describe("What was held first"),
    amount: z.int().describe("What is left of it after it was lowered"),
    state: z.enum(holdStates),
    reason: z.string().nullable(),
    created_at: z.date(),
    ended_at: z.date().nullable(),
  })
  .meta({ id: "BillingHold" });
export type Hold = z.infer<typeof holdSchema>;

export const adjustedSchema = z.object({ user_id: z.int(), tokens: z.int(), balance: z.int() });
