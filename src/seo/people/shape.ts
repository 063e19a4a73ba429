import { z } from "zod";
import { reason, somethingOf } from "../../workspaces/index.ts";

export const userSchema = z
  .object({
    id: z.int().describe("The Telegram id"),
    username: z.string().nullable(),
    first_name: z.string().nullable(),
    last_name: z.string().nullable(),
    balance: z.int().describe("Tokens; kept by billing"),
    language: z.string(),
    role: z.enum(["user", "admin"]),
    referrer_id: z.int().nullable().describe("Who brought them"),
    notify_publications: z.boolean(),
    notify_balance: z.boolean(),
    notify_news: z.boolean(),
    created_at: z.date(),
    last_activity: z.date(),
    referred: z.int().describe("How many they brought"),
  })
  .meta({ id: "SeoUser" });
export type SeoUser = z.infer<typeof userSchema>;

export const notificationFields = z.strictObject({
  notify_publications: z.boolean().describe("Tell about publications"),
  notify_balance: z.boolean().describe("Tell when tokens run low"),
  notify_news: z.boolean().describe("Tell news"),
});
export const notificationChanges = somethingOf(
  notificationFields.partial().extend({ reason: reason.optional() }),
);
export type NotificationChanges = Omit<z.infer<typeof notificationChanges>, "reason">;
