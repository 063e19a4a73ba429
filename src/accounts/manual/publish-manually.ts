import { z } from "zod";
import { type ProblemError, problem } from "../../http/index.ts";
import type { Transaction } from "../../kernel/db/index.ts";
import { idOf, inOneChange, noteChange } from "../../workspaces/index.ts";
import { requireAccount, type Who } from "../admin/access.ts";
import { type PaceReasonView, slowedBy } from "../admin/pace-view.ts";
import { accountsProblem } from "../admin/problems.ts";
import { accountIdColumns } from "../id-columns.ts";
import { readObject } from "../objects/objects.ts";
import { lockForPlan } from "../plan/account-state.ts";
import { jitterMs } from "../plan/modes.ts";
import { planAccount } from "../plan/plan-account.ts";
import type { PlanDeps } from "../plan/plan-deps.ts";
import { foresee } from "../plan/with-forecast.ts";
import { type FreshTask, writePlan } from "../plan/write-plan.ts";
import { isRepeat, objectionTo, repeatUntil, type TaskFacts, taskFacts } from "../reasons/task-facts.ts";
import { wordsOf } from "../reasons/task-reasons.ts";
import { readSettings } from "../settings/workspace-settings.ts";

export const manualPublication = z.strictObject({
  object_id: idOf(accountIdColumns.object),
  account_id: idOf(accountIdColumns.account),
  chat_ids: z.array(idOf(accountIdColumns.chat)).min(1).max(200),
  format: z
    .enum(["default", "compact"])
    .optional()
    .describe("Default: the format of the object's configuration"),
  allow_duplicate: z
    .boolean()
    .default(false)
    .describe("Even within 24 hours; for admins, if the settings allow it"),
});
export type ManualPublication = z.input<typeof manualPublication>;

interface ManuallyPlanned {
  readonly queue_ids: readonly string[];
  readonly first_time: Date;
  /** The limiter delays the first publication by half an hour. */
  readonly rate_limited: boolean;
  /** May be days away for a slow account. */
  readonly last_time: Date;
  readonly pace: readonly PaceReasonView[];
}

const limitedDelayMs = 30 * 60_000;

/** Queues an object on a person's request: at the account's pace, for all of the chats or none. */
export async function publishManually(
  deps: PlanDeps,
  workspaceId: string,
  wanted: ManualPublication,
  who: Who,
): Promise<ManuallyPlanned> {
  const { sql, clock, governor, chance = Math.random } = deps;
  const { object_id, account_id, format, allow_duplicate, ...rest } = manualPublication.parse(wanted);
  const chatIds = [...new Set(rest.chat_ids)];
  const now = clock.now();
  const key = { workspaceId, accountId: account_id };
  await requireAccount(sql, workspaceId, account_id, who);
  const pace = await slowedBy(governor, key);
  return inOneChange(sql, async (tx) => {
    const account = await requireAccount(tx, workspaceId, account_id, who);
    if (!account.is_active)
      throw accountsProblem("account_inactive", {
        detail: account.last_error ?? wordsOf("account_inactive", {}, "en"),
      });
    await readObject(tx, workspaceId, object_id, who);
    const settings = await readSettings(tx, workspaceId);
    const mayRepeat =
      settings.allow_duplicates.manual_account ||
      (allow_duplicate && who.isAdmin && settings.allow_duplicates.admin_bypass);
    if (allow_duplicate && !mayRepeat)
      throw problem("unprocessable", {
        detail: "Repeats are not allowed; see the setting allow_duplicates.",
        errors: [{ pointer: "/allow_duplicate", detail: "Repeats are not allowed" }],
      });
    const state = await lockForPlan(tx, key, { settings, now });
    if (!state) throw new Error("an account is gone that was just there");
    const facts = await factsOf(tx, workspaceId, { object_id, account_id, chatIds });
    refuseUnusable(facts);
    if (!mayRepeat) refuseRepeats(facts, now);
    await refuseOpen(tx, workspaceId, { object_id, account_id, chatIds });
    const limited = await isLimited(tx, workspaceId, account_id, now);
    const fresh = chatIds.map(
      (chatId): FreshTask => ({
        ...{ objectId: object_id, chatId, owner: who.owner, origin: "manual", format },
        allowDuplicate: mayRepeat,
      }),
    );
    const foreseen = await foresee(tx, governor, key, state, { fresh, now });
    const plan = planAccount({
      ...{ ...state, ...foreseen, now, chance, spill: true },
      notBefore: limited ? new Date(now.getTime() + limitedDelayMs + jitterMs(chance)) : undefined,
    });
    if (plan.left.length > 0)
      throw problem("conflict", {
        detail:
          "The account has no room for this in the next 30 days: its daily limit or its window is too small.",
      });
    const tasks = await writePlan(tx, key, plan, now);
    const [first] = tasks;
    if (!first) throw new Error("a plan without a task was written");
    const meta = { object: "publication", object_id, account_id, chat_ids: chatIds };
    await noteChange(tx, { workspaceId, now, by: who, meta });
    return {
      ...{ queue_ids: tasks.map(({ id }) => id), first_time: first.scheduled_time },
      ...{ last_time: (tasks.at(-1) ?? first).scheduled_time, rate_limited: limited, pace },
    };
  });
}

interface Wanted {
  readonly object_id: string;
  readonly account_id: string;
  readonly chatIds: readonly string[];
}

type ChatFacts = readonly { readonly chatId: string; readonly title: string; readonly facts: TaskFacts }[];

async function factsOf(
  tx: Transaction,
  workspaceId: string,
  { object_id, account_id, chatIds }: Wanted,
): Promise<ChatFacts> {
  const rows = await tx`
    select i.id, coalesce(c.title, i.id::text) as title, to_jsonb(f) as facts
    from unnest(${[...chatIds]}::uuid[]) with ordinality as i (id, place)
    cross join lateral accounts.task_facts(${workspaceId}, ${object_id}, i.id, ${account_id}) f
    left join accounts.chats c on c.workspace_id = ${workspaceId} and c.id = i.id
    order by i.place`;
  return rows.map((row) => ({ chatId: row.id, title: row.title, facts: taskFacts.parse(row.facts) }));
}

/** Every chat must be one of the account's; chats of others are reported as missing. */
function refuseUnusable(chats: ChatFacts): void {
  const objections = chats.map(({ title, facts }) => ({ title, reason: objectionTo(facts, "manual") }));
  const errors = objections.flatMap(({ title, reason }, index): ProblemError[] =>
    reason ? [{ pointer: `/chat_ids/${index}`, detail: `${title}: ${wordsOf(reason, {}, "en")}` }] : [],
  );
  if (errors.length === 0) return;
  const missing = objections.some(({ reason }) => reason === "chat_missing" || reason === "chat_not_linked");
  throw problem(missing ? "not_found" : "unprocessable", {
    detail: errors.map(({ detail }) => detail).join("; "),
    errors,
  });
}

function refuseRepeats(chats: ChatFacts, now: Date): void {
  const errors = chats.flatMap(({ title, facts }, index): ProblemError[] =>
    isRepeat(facts, now)
      ? [
          {
            pointer: `/chat_ids/${index}`,
            detail: `${title}: again from ${repeatUntil(facts)?.toISOString()}`,
          },
        ]
      : [],
  );
  if (errors.length > 0)
    throw accountsProblem("publication_duplicates", {
      detail: errors.map(({ detail }) => detail).join("; "),
      errors,
    });
}

/** Refuses pending tasks, which would be published twice in a row. */
async function refuseOpen(
  tx: Transaction,
  workspaceId: string,
  { object_id, account_id, chatIds }: Wanted,
): Promise<void> {
  const open = await tx<{ chat_id: string; scheduled_time: Date }[]>`
    select chat_id, scheduled_time from accounts.queue
    where workspace_id = ${workspaceId} and object_id = ${object_id} and account_id = ${account_id}
      and chat_id = any (${[...chatIds]}) and status in ('pending', 'processing', 'flood_wait')`;
  if (open.length === 0) return;
  const errors = open.map(({ chat_id, scheduled_time }) => ({
    pointer: `/chat_ids/${chatIds.indexOf(chat_id)}`,
    detail: `It is planned already for ${scheduled_time.toISOString()}`,
  }));
  throw problem("conflict", { detail: "Some of it is planned already: cancel that first, or wait.", errors });
}

async function isLimited(
  tx: Transaction,
  workspaceId: string,
  accountId: string,
  now: Date,
): Promise<boolean> {
  const [row] = await tx<[{ can_send: boolean }]>`
    select can_send from accounts.limiter_status(${workspaceId}, ${accountId}, ${now})`;
  return !row.can_send;
}
