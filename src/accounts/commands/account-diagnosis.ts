import type { Command } from "commander";
import {
  assigned,
  changing,
  checked,
  columns,
  counted,
  countOf,
  facts,
  fieldsHelp,
  moment,
  print,
  reading,
  shortened,
  shown,
  span,
  type Terminal,
} from "../../terminal/index.ts";
import { pageOfAll } from "../../workspaces/index.ts";
import { changeSettings, settingsChanges } from "../admin/change-settings.ts";
import { adjustPace, readPace } from "../admin/pace-view.ts";
import { resetStuck } from "../admin/reset-stuck.ts";
import { paceChangesShape } from "../governor/pace-settings.ts";
import { type AccountStatus, accountStatuses } from "../read/account-status.ts";
import { type Overview, overview, stuckTasks } from "../read/overview.ts";
import { type Readiness, systemReadiness } from "../read/readiness.ts";
import { readSettings } from "../settings/workspace-settings.ts";
import { taskTable } from "./account-queue.ts";
import { type AccountOptions, accountCommands, idOf, naming, withAccounts } from "./with-accounts.ts";

/** `molva account overview|readiness|status|pace|stuck|settings`: what is going on, and why nothing is. */
export function addAccountDiagnosis(account: Command, terminal: Terminal): void {
  const { run, list } = accountCommands(terminal);

  reading(account, "overview", "accounts, counts, what is due, what is stuck, and hints")
    .option("--threshold <minutes>", "how long in work is too long", countOf, 5)
    .action((options: AccountOptions & { threshold: number }) =>
      run(
        options,
        ({ deps, workspaceId, who }) =>
          overview(deps, workspaceId, who, { thresholdMinutes: options.threshold }),
        overviewText,
      ),
    );

  reading(account, "readiness", "which objects accounts can publish, and why not the others").action(
    async (options: AccountOptions) => {
      const objects = await withAccounts(terminal, options, ({ sql, workspaceId, who }) =>
        systemReadiness(sql, workspaceId, who),
      );
      print(terminal, options, { objects }, () =>
        objects.length === 0 ? "No object is switched on." : objects.map(readinessText).join("\n"),
      );
    },
  );

  list(
    reading(account, "status", "every account with its queue, its next times and its last error"),
    undefined,
    async ({ deps, workspaceId, who }, options) =>
      pageOfAll(await accountStatuses(deps, workspaceId, who), options),
    (items) => (items.length === 0 ? "No accounts." : items.map(statusText).join("\n\n")),
  );

  changing(account, "pace", "how fast the governor lets an account go, and adjusting it")
    .argument("<account>", naming.account)
    .argument("[field=value...]", "what to adjust; null gives a measure back to the workspace")
    .addHelpText("after", fieldsHelp(paceChangesShape.shape))
    .action(async (typed: string, fields: string[], options: AccountOptions) => {
      const changes = checked(paceChangesShape, assigned(paceChangesShape, fields));
      const pace = await withAccounts(terminal, options, async (at) => {
        const id = await idOf(at, "account", typed);
        return fields.length === 0
          ? readPace(at.deps, at.workspaceId, id, at.who)
          : adjustPace(at.deps, at.workspaceId, id, changes, at.who);
      });
      const { reasons, warnings: _, ...measures } = pace;
      print(terminal, options, pace, () =>
        [shown(measures), ...reasons.map(({ en, ru }) => `${en} / ${ru}`)].join("\n"),
      );
    });

  changing(account, "stuck", "tasks in work for too long; --reset takes them back")
    .option("--threshold <minutes>", "how long is too long", countOf, 5)
    .option("--max-attempts <count>", "so many tries end a task", countOf, 3)
    .option("--reset", "take them back: each counts a try")
    .action(async (options: AccountOptions & { threshold: number; maxAttempts: number; reset?: boolean }) => {
      const { threshold, maxAttempts } = options;
      const found = await withAccounts(terminal, options, async ({ deps, workspaceId, who }) =>
        options.reset
          ? resetStuck(deps, workspaceId, { thresholdMinutes: threshold, maxAttempts }, who)
          : { tasks: await stuckTasks(deps, workspaceId, who, threshold) },
      );
      print(terminal, options, found, () => {
        if ("found" in found)
          return `${counted(found.found, "task was", "tasks were")} stuck: ${counted(found.reset, "waits", "wait")} again, ${counted(found.failed, "is", "are")} out of tries.`;
        if (found.tasks.length === 0) return "Nothing is stuck.";
        return `${taskTable(found.tasks)}\n--reset takes them back.`;
      });
    });

  changing(account, "settings", "repeats, the limiter, what admins may pass, districts")
    .argument("[field=value...]", "what to change, as in account_rate_limit='{\"enabled\": false}'")
    .addHelpText("after", fieldsHelp(settingsChanges.shape))
    .action(async (fields: string[], options: AccountOptions) => {
      const changes = checked(settingsChanges, assigned(settingsChanges, fields));
      await run(
        options,
        ({ deps, sql, workspaceId, who }) =>
          fields.length === 0
            ? readSettings(sql, workspaceId)
            : changeSettings(deps, workspaceId, changes, who),
        shown,
      );
    });
}

function overviewText(seen: Overview): string {
  const { accounts, counts, due_count, due, stuck, configs_enabled, hints } = seen;
  return [
    facts([
      ["at", moment(seen.at)],
      ...Object.entries(counts).map(([status, count]): [string, string] => [status, String(count)]),
      ["due now", String(due_count)],
      ["objects on", String(configs_enabled)],
    ]),
    accounts.length === 0
      ? "No accounts."
      : columns(
          ["ACCOUNT", "STATE", "DONE+TO COME/LIMIT", "LAST ERROR"],
          accounts.map(({ title, is_active, published_today, planned_today, daily_limit, last_error }) => [
            title,
            is_active ? "on" : "off",
            `${published_today}+${planned_today}/${daily_limit}`,
            shortened(last_error ?? "", 60),
          ]),
        ),
    ...(due.length > 0 ? [`Due:\n${taskTable(due)}`] : []),
    ...(stuck.length > 0 ? [`Stuck:\n${taskTable(stuck)}`] : []),
    hints.map(({ en, ru }) => `${en}.\n${ru}.`).join("\n"),
  ].join("\n\n");
}

export function readinessText({ title, ready, usable, hindered, reasons }: Readiness): string {
  return [
    `${ready ? "ready" : "not ready"}  ${title}: ${usable} of ${usable + hindered} pairs of account and chat can publish`,
    ...reasons.map(({ en, ru, account, chat }) =>
      [`  ${[account, chat].filter(Boolean).join(" → ")}`, `${en} / ${ru}`]
        .filter((part) => part.trim())
        .join(": "),
    ),
  ].join("\n");
}

function statusText(status: AccountStatus): string {
  const { title, mode, interval_minutes, is_active, today, daily_limit, counts, due_now, in_work, next } =
    status;
  return [
    `${title} (${is_active ? "on" : "off"})`,
    facts([
      ["  mode", interval_minutes === null ? mode : `${mode}, ${interval_minutes} min`],
      [
        "  today",
        `${today.published} published, ${today.planned} ${is_active ? "to come" : "waiting"}, limit ${daily_limit}`,
      ],
      [
        "  queue",
        Object.entries(counts)
          .map(([name, count]) => `${name} ${count}`)
          .join(", "),
      ],
      ["  due now", String(due_now)],
      ["  in work", in_work && `for ${span(in_work.seconds)}, since ${moment(in_work.started_at)}`],
      ["  next", next && `${moment(next.utc)} (${next.local} ${status.timezone}), in ${span(next.seconds)}`],
      ["  waits", status.waits && `${status.waits.en}. / ${status.waits.ru}.`],
      ["  on from", status.waits?.until && moment(status.waits.until)],
      ...status.pace.map(({ en, ru }): [string, string] => ["  pace", `${en}. / ${ru}.`]),
      ["  free until", status.free_until && moment(status.free_until)],
      ["  last error", status.last_error],
    ]),
  ].join("\n");
}
