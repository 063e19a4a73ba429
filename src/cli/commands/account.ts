import type { Command } from "commander";
import { z } from "zod";
import {
  type Account,
  accountChanges,
  changeAccount,
  deleteAccount,
  listAccounts,
  reactivate,
  readAccount,
  readPhone,
  readRate,
  sendTest,
  type Timeline,
  timeline,
} from "../../accounts/index.ts";
import { pageOfAll } from "../../workspaces/index.ts";
import { type AccountOptions, idOf, naming, withAccounts } from "../account-deps.ts";
import { checked, explaining, inWorkspace, shown, viewing } from "../administer.ts";
import { assigned } from "../assignments.ts";
import { type AddCommand, print, type Terminal } from "../command.ts";
import { deleting } from "../deletion.ts";
import { fieldsHelp } from "../field-help.ts";
import { idTable } from "../id-table.ts";
import { columns, counted, facts, moment, shortened } from "../layout.ts";
import { type Paged, paging, printPage } from "../listing.ts";
import { addAccountChat } from "./account-chat.ts";
import { addAccountDiagnosis } from "./account-diagnosis.ts";
import { addAccountJoin } from "./account-join.ts";
import { addAccountLogin } from "./account-login.ts";
import { addAccountQueue } from "./account-queue.ts";

/** `molva account …`: publishing from people's own Telegram accounts. */
export const addAccountCommand: AddCommand = (program, terminal) => {
  const command = program
    .command("account")
    .description("people's own Telegram accounts, their chats and their queue");
  addAccountItself(command, terminal);
  addAccountLogin(command, terminal);
  addAccountChat(command, terminal);
  addAccountJoin(command, terminal);
  addAccountQueue(command, terminal);
  addAccountDiagnosis(command, terminal);
};

function addAccountItself(command: Command, terminal: Terminal): void {
  paging(
    viewing(
      command.command("list").description("accounts with today's quota, the next task and the last error"),
    ),
  )
    .option("--owner <login>", "only this person's")
    .action(async (options: AccountOptions & Paged) => {
      const page = await withAccounts(terminal, options, async ({ deps, workspaceId, who }) =>
        pageOfAll(await listAccounts(deps, workspaceId, who, options), options),
      );
      printPage(terminal, options, page, listed);
    });

  viewing(command.command("show").description("one account"))
    .argument("<account>", naming.account)
    .action(async (typed: string, options: AccountOptions) => {
      const account = await withAccounts(terminal, options, async (at) =>
        readAccount(at.deps, at.workspaceId, await idOf(at, "account", typed), at.who),
      );
      print(terminal, options, account, () => shown(account));
    });

  viewing(command.command("phone").description("the whole phone of an account; each reading is recorded"))
    .argument("<account>", naming.account)
    .action(async (typed: string, options: AccountOptions) => {
      const read = await withAccounts(terminal, options, async (at) =>
        readPhone(at.deps, at.workspaceId, await idOf(at, "account", typed), at.who),
      );
      print(terminal, options, read, () => read.phone ?? "No phone is known.");
    });

  inWorkspace(
    explaining(
      command.command("set").description("change mode, limit, interval, window, zone, or switch it off"),
    ),
  )
    .argument("<account>", naming.account)
    .argument("<field=value...>", "what to change, as in mode=fix fix_interval_minutes=30")
    .addHelpText("after", fieldsHelp(accountChanges.shape))
    .action(async (typed: string, fields: string[], options: AccountOptions) => {
      const changes = checked(accountChanges, assigned(accountChanges, fields));
      const account = await withAccounts(terminal, options, async (at) =>
        changeAccount(at.deps, at.workspaceId, await idOf(at, "account", typed), changes, at.who),
      );
      print(terminal, options, account, () => shown(account));
    });

  inWorkspace(
    explaining(
      command.command("reactivate").description("switch an account on again; what waits gets fresh times"),
    ),
  )
    .argument("<account>", naming.account)
    .option("--force", "before Telegram's wait is over, at the account's risk")
    .action(async (typed: string, options: AccountOptions & { force?: boolean }) => {
      const done = await withAccounts(terminal, options, async (at) =>
        reactivate(at.deps, at.workspaceId, await idOf(at, "account", typed), {
          ...at.who,
          force: options.force ?? false,
        }),
      );
      print(
        terminal,
        options,
        done,
        () =>
          `The account publishes again: ${counted(done.resumed, "task goes", "tasks go")} on, ${counted(done.expired, "has", "have")} passed ${done.expired === 1 ? "its" : "their"} day.`,
      );
    });

  viewing(command.command("rate").description("whether the limiter lets the next message through, and when"))
    .argument("<account>", naming.account)
    .action(async (typed: string, options: AccountOptions) => {
      const rate = await withAccounts(terminal, options, async (at) =>
        readRate(at.deps, at.workspaceId, await idOf(at, "account", typed), at.who),
      );
      print(terminal, options, rate, () => shown(rate));
    });

  viewing(command.command("test").description("send one message into one of the account's chats at once"))
    .argument("<account>", naming.account)
    .argument("<chat>", naming.chat)
    .argument("[text]", "what to say")
    .action(async (typed: string, chat: string, text: string | undefined, options: AccountOptions) => {
      const sent = await withAccounts(terminal, options, async (at) =>
        sendTest(
          at.deps,
          at.workspaceId,
          await idOf(at, "account", typed),
          { chat_id: await idOf(at, "chat", chat), text },
          at.who,
        ),
      );
      print(
        terminal,
        options,
        sent,
        () => `It is there: message ${sent.message_id}${sent.url ? `, ${sent.url}` : ""}.`,
      );
    });

  viewing(command.command("timeline").description("one day of an account: published, failed, to come"))
    .argument("<account>", naming.account)
    .option("--day <date>", "a day of the account's zone, such as 2026-11-16; today unless given")
    .action(async (typed: string, options: AccountOptions & { day?: string }) => {
      const day = await withAccounts(terminal, options, async (at) =>
        timeline(at.deps, at.workspaceId, await idOf(at, "account", typed), at.who, {
          day: options.day === undefined ? undefined : checked(z.iso.date(), options.day, "--day"),
        }),
      );
      print(terminal, options, day, () => dayText(day));
    });

  deleting(command, "delete an account with its session, links, queue and history")
    .argument("<account>", naming.account)
    .action(async (typed: string, options: AccountOptions) => {
      const gone = await withAccounts(terminal, options, async (at) =>
        deleteAccount(at.deps, at.workspaceId, await idOf(at, "account", typed), at.who, options),
      );
      const { tasks, history, chats, objects } = gone;
      print(terminal, options, gone, () =>
        [
          gone.dry_run ? `Would delete ${typed}; nothing was changed.` : `Deleted ${typed}.`,
          `${counted(tasks, "task")}, ${counted(history, "publication")}, ${counted(chats, "link")} with chats, a place in ${counted(objects, "configuration")}.`,
        ].join(" "),
      );
    });
}

const listed = idTable<Account>("No accounts. molva account login signs one in.", {
  title: ({ title }) => title,
  phone: ({ phone }) => phone ?? "",
  owner: ({ owner }) => owner,
  mode: ({ mode }) => mode,
  "done+to come/limit": ({ today, daily_limit }) => `${today.published}+${today.planned}/${daily_limit}`,
  "next task": ({ next_task }) => (next_task ? moment(next_task.scheduled_time) : ""),
  state: ({ is_active, last_error, stopped_code }) =>
    is_active
      ? shortened(last_error ?? "on", 60)
      : `off: ${shortened(last_error ?? stopped_code ?? "switched off", 60)}`,
});

function dayText({ day, timezone, window, entries }: Timeline): string {
  const head = facts([
    ["day", `${day} (${timezone})`],
    ["window", `${moment(window.from)} – ${moment(window.to)}`],
  ]);
  if (entries.length === 0) return `${head}\nNothing is planned.`;
  return [
    head,
    columns(
      ["LOCAL TIME", "STATUS", "OBJECT", "CHAT", "WHY"],
      entries.map(({ local, status, late, held, object, chat, last_error }) => [
        held ? "when it is on" : local,
        late && !held ? `${status} (late)` : status,
        shortened(object ?? "(gone)", 40),
        shortened(chat ?? "(gone)", 30),
        shortened(last_error ?? "", 60),
      ]),
    ),
  ].join("\n");
}
