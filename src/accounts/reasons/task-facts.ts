import { z } from "zod";
import type { Reason } from "./task-reasons.ts";

const time = z.coerce.date().nullable();

/** The result of `accounts.task_facts`. */
export const taskFacts = z.object({
  object_exists: z.boolean(),
  object_archived: z.boolean(),
  has_config: z.boolean(),
  enabled: z.boolean(),
  accounts_enabled: z.boolean(),
  in_config: z.boolean(),
  format: z.enum(["default", "compact"]),
  account_exists: z.boolean(),
  account_connected: z.boolean(),
  account_active: z.boolean(),
  chat_exists: z.boolean(),
  chat_joined: z.boolean(),
  chat_active: z.boolean(),
  chat_of_user: z.boolean(),
  linked: z.boolean(),
  can_write: z.boolean(),
  slow_mode_until: time,
  last_published_at: time,
});
export type TaskFacts = z.output<typeof taskFacts>;

/** Whether a person or the object's configuration asks for it. */
export type Asked = "manual" | "autopublish";

/** The first obstacle to a publication, in the specified order; repeats are checked separately. */
export function objectionTo(facts: TaskFacts, asked: Asked): Reason | undefined {
  const checks: readonly (readonly [boolean, Reason])[] = [
    [!facts.object_exists, "object_missing"],
    [!facts.chat_exists, "chat_missing"],
    [!facts.account_exists, "account_missing"],
    [facts.object_archived, "object_archived"],
    ...(asked === "autopublish" ? configChecks(facts) : []),
    [!facts.account_connected, "account_not_connected"],
    [!facts.account_active, "account_inactive"],
    [!facts.chat_of_user, "chat_of_bot"],
    [!facts.chat_active, "chat_inactive"],
    [!facts.linked, "chat_not_linked"],
    [!facts.chat_joined, "chat_not_joined"],
    [!facts.can_write, "chat_not_writable"],
  ];
  return checks.find(([holds]) => holds)?.[1];
}

function configChecks(facts: TaskFacts): readonly (readonly [boolean, Reason])[] {
  return [
    [!facts.has_config, "no_config"],
    [!facts.enabled, "autopublish_off"],
    [!facts.accounts_enabled, "accounts_off"],
    [!facts.in_config, "not_in_config"],
  ];
}

const duplicateWindowMs = 24 * 3_600_000;

/** End of the time in which the same object in the same chat by the same account is a repeat. */
export function repeatUntil({ last_published_at }: Pick<TaskFacts, "last_published_at">): Date | undefined {
  return last_published_at ? new Date(last_published_at.getTime() + duplicateWindowMs) : undefined;
}

export function isRepeat(facts: TaskFacts, now: Date): boolean {
  const until = repeatUntil(facts);
  return until !== undefined && now < until;
}
