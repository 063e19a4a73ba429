import { type Command, InvalidArgumentError, Option } from "commander";
import {
  describePlans,
  listPeople,
  type Person,
  planSettingsOf,
  readPlanUsage,
  setPlan,
} from "../../advisor/index.ts";
import { noteReading } from "../../workspaces/index.ts";
import { administer, byOf, type Common, explaining, inWorkspace, printing, viewing } from "../administer.ts";
import { type AddCommand, configOf, print, type Terminal } from "../command.ts";
import { columns, moment } from "../layout.ts";
import { countOf, momentOf } from "../lookup.ts";

/** `molva advisor plan set|list`, `users`, `usage`. */
export const addAdvisor: AddCommand = (program, terminal) => {
  const command = program
    .command("advisor")
    .description("advice by language models: people, plans, what it costs");
  addPlan(command, terminal);
  addUsers(command, terminal);
  addUsage(command, terminal);
};

function addPlan(parent: Command, terminal: Terminal): void {
  const command = parent.command("plan").description("who has Pro, and what plans allow");

  inWorkspace(explaining(command.command("set").description("give a person Pro, or take it back")))
    .argument("<telegram-user-id>", "the person's id in Telegram", personId)
    .argument("<plan>", "free or pro", planOf)
    .action(async (id: number, plan: "free" | "pro", options: Common) => {
      const person = await administer(terminal, options, (deps, workspaceId) =>
        setPlan(deps, workspaceId, id, plan, byOf(options)),
      );
      print(terminal, options, person, () => `${id} is on the plan ${person.plan}.`);
    });

  printing(command.command("list").description("what each plan allows")).action(async (options: Common) => {
    const items = describePlans(planSettingsOf(configOf(terminal)));
    print(terminal, options, { items }, () =>
      columns(
        ["PLAN", "QUESTIONS A DAY", "WAIT", "TALK LIVES", "RESEARCH A MONTH", "PHOTOS A MONTH", "POLICIES"],
        items.map((each) => [
          each.plan,
          each.questions_a_day < 0 ? "no limit" : String(each.questions_a_day),
          `${each.cooldown_sec} s`,
          `${each.session_sec} s`,
          String(each.research_a_month),
          String(each.photos_a_month),
          each.policies.join(", "),
        ]),
      ),
    );
  });
}

interface UsersOptions extends Common {
  readonly plan?: "free" | "pro";
  readonly limit: number;
  readonly after?: number;
}

function addUsers(parent: Command, terminal: Terminal): void {
  viewing(parent.command("users").description("people, with what they used and cost in 30 days"))
    .option("--plan <plan>", "only of this plan", planOf)
    .option("--limit <count>", "how many at most", countOf, 50)
    .option("--after <id>", "begin after this person", personId)
    .action(async (options: UsersOptions) => {
      const { plan, limit, after } = options;
      const items = await administer(terminal, options, async ({ sql, clock }, workspaceId) => {
        const now = clock.now();
        const found = await listPeople(sql, workspaceId, { plan, limit, after }, now);
        const meta = { object: "advisor_users", count: found.length };
        await noteReading(sql, { workspaceId, now, by: byOf(options), meta });
        return found;
      });
      print(terminal, options, { items }, () => (items.length === 0 ? "Nobody yet." : peopleTable(items)));
    });
}

function peopleTable(items: readonly Person[]): string {
  return columns(
    ["TELEGRAM ID", "PLAN", "LAST SEEN", "TODAY", "RESEARCH", "PHOTOS", "PETS", "USD"],
    items.map((each) => [
      String(each.telegram_user_id),
      each.plan,
      each.last_seen_at ? moment(each.last_seen_at) : "–",
      ...[each.questions_today, each.research_used, each.photos_used, each.pets].map(String),
      each.cost_usd.toFixed(6),
    ]),
  );
}

interface UsageOptions extends Common {
  readonly since: Date;
  readonly until?: Date;
}

function addUsage(parent: Command, terminal: Terminal): void {
  viewing(parent.command("usage").description("questions and what they cost, by plan"))
    .addOption(
      new Option("--since <time>", "only newer than this: 30m, 2h, 7d, or a time")
        .argParser(momentOf)
        .default(new Date(Date.now() - 30 * 86_400_000), "30d"),
    )
    .option("--until <time>", "only older than this, written the same way", momentOf)
    .action(async (options: UsageOptions) => {
      const report = await administer(terminal, options, async ({ sql, clock }, workspaceId) => {
        const [from, to] = [options.since, options.until ?? clock.now()];
        return { from, to, items: await readPlanUsage(sql, workspaceId, { from, to }) };
      });
      print(terminal, options, report, () =>
        columns(
          ["PLAN", "USERS", "ACTIVE", "QUESTIONS", "FAILED", "USD"],
          report.items.map((each) => [
            each.plan,
            ...[each.users, each.active_users, each.questions, each.failed].map(String),
            each.cost_usd.toFixed(6),
          ]),
        ),
      );
    });
}

function personId(typed: string): number {
  const id = Number(typed);
  if (!/^\d{1,16}$/.test(typed) || id < 1 || id > 2 ** 52)
    throw new InvalidArgumentError("Give the number that Telegram knows the person by.");
  return id;
}

function planOf(typed: string): "free" | "pro" {
  if (typed !== "free" && typed !== "pro") throw new InvalidArgumentError("Give free or pro.");
  return typed;
}
