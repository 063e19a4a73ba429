import type { Command } from "commander";
import { z } from "zod";
import {
  type AddCommand,
  changing,
  checked,
  columns,
  counted,
  deleting,
  facts,
  idTable,
  moment,
  reading,
  shortened,
  type Terminal,
} from "../../terminal/index.ts";
import { pageOfAll } from "../../workspaces/index.ts";
import {
  type Account,
  accountChanges,
  changeAccount,
  deleteAccount,
  listAccounts,
  readAccount,
} from "../admin/accounts.ts";
import { readRate } from "../admin/limiter-status.ts";
import { sendTest } from "../admin/test-message.ts";
import { reactivate } from "../queue/reactivate.ts";
import { readPhone } from "../read/account-phone.ts";
import { type Timeline, timeline } from "../read/timeline.ts";
import { addAccountChat } from "./account-chat.ts";
import { addAccountDiagnosis } from "./account-diagnosis.ts";
import { addAccountJoin } from "./account-join.ts";
import { addAccountLogin } from "./account-login.ts";
import { addAccountQueue } from "./account-queue.ts";
import { type AccountOptions, accountCommands, idOf, naming } from "./with-accounts.ts";

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
  const { run, one, change, list } = accountCommands(terminal);

  list(
    reading(command, "list", "accounts with today's quota, the next task and the last error").option(
      "--owner <login>",
      "only this person's",
    ),
    undefined,
    async ({ deps, workspaceId, who }, options) =>
      pageOfAll(await listAccounts(deps, workspaceId, who, options), options),
    listed,
  );
  one(reading(command, "show", "one account"), "account", ({ deps, workspaceId, who }, id) =>
    readAccount(deps, workspaceId, id, who),
  );
  one(
    reading(command, "phone", "the whole phone of an account; each reading is recorded"),
    "account",
    ({ deps, workspaceId, who }, id) => readPhone(deps, workspaceId, id, who),
    ({ phone }) => phone ?? "No phone is known.",
  );
  change(
    changing(command, "set", "change mode, limit, interval, window, zone, or switch it off"),
    "account",
    { schema: accountChanges, about: "what to change, as in mode=fix fix_interval_minutes=30" },
    ({ deps, workspaceId, who }, id, changes) => changeAccount(deps, workspaceId, id, changes, who),
  );
  one(
    changing(command, "reactivate", "switch an account on again; what waits gets fresh times").option(
      "--force",
      "before Telegram's wait is over, at the account's risk",
    ),
    "account",
    ({ deps, workspaceId, who }, id, { force = false }: AccountOptions & { force?: boolean }) =>
      reactivate(deps, workspaceId, id, { ...who, force }),
    ({ resumed, expired }) =>
      `The account publishes again: ${counted(resumed, "task goes", "tasks go")} on, ${counted(expired, "has", "have")} passed ${expired === 1 ? "its" : "their"} day.`,
  );
  one(
    reading(command, "rate", "whether the limiter lets the next message through, and when"),
    "account",
    ({ deps, workspaceId, who }, id) => readRate(deps, workspaceId, id, who),
  );

  reading(command, "test", "send one message into one of the account's chats at once")
    .argument("<account>", naming.account)
    .argument("<chat>", naming.chat)
    .argument("[text]", "what to say")
    .action((typed: string, chat: string, text: string | undefined, options: AccountOptions) =>
      run(
        options,
        async (at) => {
          const id = await idOf(at, "account", typed);
          return sendTest(
            at.deps,
            at.workspaceId,
            id,
            { chat_id: await idOf(at, "chat", chat), text },
            at.who,
          );
        },
        ({ message_id, url }) => `It is there: message ${message_id}${url ? `, ${url}` : ""}.`,
      ),
    );

  one(
    reading(command, "timeline", "one day of an account: published, failed, to come").option(
      "--day <date>",
      "a day of the account's zone, such as 2026-11-16; today unless given",
    ),
    "account",
    ({ deps, workspaceId, who }, id, { day }: AccountOptions & { day?: string }) =>
      timeline(deps, workspaceId, id, who, {
        day: day === undefined ? undefined : checked(z.iso.date(), day, "--day"),
      }),
    dayText,
  );
  one(
    deleting(command, "delete an account with its session, links, queue and history"),
    "account",
    ({ deps, workspaceId, who }, id, options) => deleteAccount(deps, workspaceId, id, who, options),
    ({ dry_run, tasks, history, chats, objects }, typed) =>
      [
        dry_run ? `Would delete ${typed}; nothing was changed.` : `Deleted ${typed}.`,
        `${counted(tasks, "task")}, ${counted(history, "publication")}, ${counted(chats, "link")} with chats, a place in ${counted(objects, "configuration")}.`,
      ].join(" "),
  );
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
