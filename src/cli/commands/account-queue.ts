import type { Command } from "commander";
import {
  accountIdColumns,
  botPublication,
  cancelTasks,
  historyPage,
  markDeleted,
  type Publication,
  publishManually,
  publishThroughBots,
  type Task,
  taskPage,
} from "../../accounts/index.ts";
import { shortIds } from "../../kernel/ids/index.ts";
import { type AccountOptions, idOf, idsOf, naming, withAccounts } from "../account-deps.ts";
import { checked, explaining, inWorkspace, viewing } from "../administer.ts";
import { print, type Terminal } from "../command.ts";
import { exitCodes, UserError } from "../failure.ts";
import { columns, counted, moment, shortened } from "../layout.ts";
import { countOf, wholeId, wholeIds } from "../lookup.ts";

interface Filters extends AccountOptions {
  readonly account?: string;
  readonly object?: string;
  readonly limit: number;
  readonly after?: string;
}

/** `molva account queue|cancel|publish|history|deleted`: what waits, and what was published. */
export function addAccountQueue(account: Command, terminal: Terminal): void {
  const filtering = (command: Command) =>
    command
      .option("--account <account>", naming.account)
      .option("--object <object>", naming.object)
      .option("--limit <count>", "how many", countOf, 50)
      .option("--after <cursor>", "`next` of the page before");

  filtering(
    viewing(
      account.command("queue").description("tasks of accounts and publications of bots, the latest first"),
    ),
  )
    .option("--type <kind>", "account, bot or all", "all")
    .option("--status <status>", "pending, processing, completed, failed or flood_wait")
    .action(async (options: Filters & { type: string; status?: string }) => {
      const { type, status, limit, after } = options;
      if (type !== "account" && type !== "bot" && type !== "all")
        throw new UserError("--type: account, bot or all.", exitCodes.usage);
      const page = await withAccounts(terminal, options, async (at) =>
        taskPage(at.sql, at.workspaceId, at.who, {
          ...{ type, status, limit, after },
          accountId: options.account && (await idOf(at, "account", options.account)),
          objectId: options.object && (await idOf(at, "object", options.object)),
        }),
      );
      print(terminal, options, page, () => taskTable(page.items) + more(page.next));
    });

  inWorkspace(explaining(account.command("cancel").description("call off tasks that nobody has taken yet")))
    .argument("[tasks...]", "their ids, or enough of their beginnings")
    .option("--account <account>", "all of an account")
    .option("--object <object>", "all of an object")
    .action(async (ids: string[], options: AccountOptions & { account?: string; object?: string }) => {
      const done = await withAccounts(terminal, options, async (at) =>
        cancelTasks(
          at.deps,
          at.workspaceId,
          {
            ids:
              ids.length > 0 ? await wholeIds(at.sql, at.workspaceId, accountIdColumns.task, ids) : undefined,
            account_id: options.account && (await idOf(at, "account", options.account)),
            object_id: options.object && (await idOf(at, "object", options.object)),
          },
          at.who,
        ),
      );
      print(
        terminal,
        options,
        done,
        () => `${counted(done.cancelled, "task was", "tasks were")} called off.`,
      );
    });

  inWorkspace(
    explaining(account.command("publish").description("publish an object by hand, at the account's pace")),
  )
    .argument("<object>", naming.object)
    .argument("<account>", naming.account)
    .argument("<chat...>", naming.chat)
    .option("--compact", "in the compact format")
    .option("--again", "also within 24 hours, where the settings let admins")
    .action(
      async (
        object: string,
        typed: string,
        chats: string[],
        options: AccountOptions & { compact?: boolean; again?: boolean },
      ) => {
        const planned = await withAccounts(terminal, options, async (at) =>
          publishManually(
            at.deps,
            at.workspaceId,
            {
              object_id: await idOf(at, "object", object),
              account_id: await idOf(at, "account", typed),
              chat_ids: await idsOf(at, "chat", chats),
              ...(options.compact && { format: "compact" as const }),
              allow_duplicate: options.again ?? false,
            },
            at.who,
          ),
        );
        print(terminal, options, planned, () =>
          [
            planned.queue_ids.length === 1
              ? `1 task, at ${moment(planned.first_time)}.`
              : `${counted(planned.queue_ids.length, "task")}, the first at ${moment(planned.first_time)}, the last at ${moment(planned.last_time)}.`,
            ...(planned.rate_limited ? ["The account's limiter holds it back by half an hour."] : []),
            ...planned.pace.map(({ en, ru }) => `${en}. / ${ru}.`),
          ].join("\n"),
        );
      },
    );

  inWorkspace(
    explaining(
      account.command("publish-bots").description("let bots publish an object by hand into their chats"),
    ),
  )
    .argument("<object>", naming.object)
    .argument("<chat...>", naming.chat)
    .option("--compact", "in the compact format")
    .option("--again", "also within 24 hours, where the settings let admins")
    .action(
      async (
        object: string,
        chats: string[],
        options: AccountOptions & { compact?: boolean; again?: boolean },
      ) => {
        const posted = await withAccounts(terminal, options, async (at) => {
          const wanted = checked(botPublication, {
            object_id: await idOf(at, "object", object),
            chat_ids: await idsOf(at, "chat", chats),
            format: options.compact ? "compact" : "default",
            allow_duplicate: options.again ?? false,
          });
          return publishThroughBots(at.deps.bots, at.workspaceId, wanted, at.who);
        });
        print(
          terminal,
          options,
          posted,
          () => `On its way to ${counted(posted.chats, "chat")}, at ${moment(posted.at)}.`,
        );
      },
    );

  filtering(viewing(account.command("history").description("what was published, the latest first"))).action(
    async (options: Filters) => {
      const page = await withAccounts(terminal, options, async (at) =>
        historyPage(at.sql, at.workspaceId, at.who, {
          limit: options.limit,
          after: options.after,
          accountId: options.account && (await idOf(at, "account", options.account)),
          objectId: options.object && (await idOf(at, "object", options.object)),
        }),
      );
      print(terminal, options, page, () => historyTable(page.items) + more(page.next));
    },
  );

  inWorkspace(
    explaining(account.command("deleted").description("say that a published message is gone from its chat")),
  )
    .argument("<publication>", "its id in the history, or enough of its beginning")
    .option("--not", "it is there after all")
    .action(async (id: string, options: AccountOptions & { not?: boolean }) => {
      const changed = await withAccounts(terminal, options, async ({ deps, sql, workspaceId, who }) =>
        markDeleted(
          deps,
          workspaceId,
          await wholeId(sql, workspaceId, accountIdColumns.publication, id),
          !options.not,
          who,
        ),
      );
      print(terminal, options, changed, () => (changed.deleted ? "Marked as gone." : "Marked as there."));
    });
}

export function taskTable(items: readonly Task[]): string {
  if (items.length === 0) return "No tasks.";
  const ids = shortIds(items.map(({ id }) => id));
  return columns(
    ["ID", "TIME", "STATUS", "WHO", "OBJECT", "CHAT", "TRIES", "WHY"],
    items.map((task, index) => [
      ids[index] ?? task.id,
      task.held ? "when it is on" : moment(task.completed_at ?? task.scheduled_time),
      task.status,
      task.type === "bot" ? "(a bot)" : shortened(task.account ?? "", 20),
      shortened(task.object ?? "(gone)", 30),
      shortened(task.chat ?? "(gone)", 30),
      String(task.attempts),
      shortened(task.held ? "its account is off" : (task.last_error ?? ""), 60),
    ]),
  );
}

export function historyTable(items: readonly Publication[]): string {
  if (items.length === 0) return "Nothing was published.";
  const ids = shortIds(items.map(({ id }) => id));
  return columns(
    ["ID", "TIME", "WHO", "OBJECT", "CHAT", "MESSAGE"],
    items.map(({ id, published_at, account, object, chat, message_id, deleted }, index) => [
      ids[index] ?? id,
      moment(published_at),
      account ?? "(a bot)",
      shortened(object ?? "(gone)", 30),
      shortened(chat ?? "(gone)", 30),
      deleted ? `${message_id} (gone)` : message_id,
    ]),
  );
}

function more(next: string | null): string {
  return next ? `\nMore: --after '${next}'` : "";
}
