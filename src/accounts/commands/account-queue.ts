import type { Command } from "commander";
import {
  changing,
  checked,
  counted,
  exitCodes,
  idTable,
  moment,
  type Paged,
  paging,
  print,
  printPage,
  shortened,
  type Terminal,
  UserError,
  viewing,
  wholeId,
  wholeIds,
} from "../../terminal/index.ts";
import { botPublication, publishThroughBots } from "../bots/publish-through-bots.ts";
import { accountIdColumns } from "../id-columns.ts";
import { publishManually } from "../manual/publish-manually.ts";
import { cancelTasks } from "../queue/cancel-tasks.ts";
import { historyPage, markDeleted, type Publication } from "../read/publications.ts";
import { type Task, taskPage } from "../read/task-list.ts";
import {
  type AccountOptions,
  type AtAccounts,
  accountCommands,
  idOf,
  idsOf,
  naming,
  withAccounts,
} from "./with-accounts.ts";

interface Filters extends AccountOptions, Paged {
  readonly account?: string;
  readonly object?: string;
}

/** `molva account queue|cancel|publish|history|deleted`: what waits, and what was published. */
export function addAccountQueue(account: Command, terminal: Terminal): void {
  const { run } = accountCommands(terminal);
  const filtering = (command: Command) =>
    paging(viewing(command), 50)
      .option("--account <account>", naming.account)
      .option("--object <object>", naming.object);

  filtering(
    account.command("queue").description("tasks of accounts and publications of bots, the latest first"),
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
          ...(await filtersOf(at, options)),
        }),
      );
      printPage(terminal, options, page, taskTable);
    });

  changing(account, "cancel", "call off tasks that nobody has taken yet")
    .argument("[tasks...]", "their ids, or enough of their beginnings")
    .option("--account <account>", "all of an account")
    .option("--object <object>", "all of an object")
    .action((ids: string[], options: AccountOptions & { account?: string; object?: string }) =>
      run(
        options,
        async (at) => {
          const all = await wholeIds(at.sql, at.workspaceId, accountIdColumns.task, ids);
          const which = { ids: ids.length > 0 ? all : undefined, ...(await filtersOf(at, options)) };
          return cancelTasks(at.deps, at.workspaceId, which, at.who);
        },
        ({ cancelled }) => `${counted(cancelled, "task was", "tasks were")} called off.`,
      ),
    );

  changing(account, "publish", "publish an object by hand, at the account's pace")
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

  changing(account, "publish-bots", "let bots publish an object by hand into their chats")
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
        await run(
          options,
          async (at) => {
            const wanted = checked(botPublication, {
              object_id: await idOf(at, "object", object),
              chat_ids: await idsOf(at, "chat", chats),
              format: options.compact ? "compact" : "default",
              allow_duplicate: options.again ?? false,
            });
            return publishThroughBots(at.deps.bots, at.workspaceId, wanted, at.who);
          },
          (posted) => `On its way to ${counted(posted.chats, "chat")}, at ${moment(posted.at)}.`,
        );
      },
    );

  filtering(account.command("history").description("what was published, the latest first")).action(
    async (options: Filters) => {
      const page = await withAccounts(terminal, options, async (at) =>
        historyPage(at.sql, at.workspaceId, at.who, {
          limit: options.limit,
          after: options.after,
          ...(await filtersOf(at, options)),
        }),
      );
      printPage(terminal, options, page, historyTable);
    },
  );

  changing(account, "deleted", "say that a published message is gone from its chat")
    .argument("<publication>", "its id in the history, or enough of its beginning")
    .option("--not", "it is there after all")
    .action(async (id: string, options: AccountOptions & { not?: boolean }) => {
      await run(
        options,
        async ({ deps, sql, workspaceId, who }) => {
          const whole = await wholeId(sql, workspaceId, accountIdColumns.publication, id);
          return markDeleted(deps, workspaceId, whole, !options.not, who);
        },
        ({ deleted }) => (deleted ? "Marked as gone." : "Marked as there."),
      );
    });
}

async function filtersOf(at: AtAccounts, { account, object }: { account?: string; object?: string }) {
  return {
    account_id: account && (await idOf(at, "account", account)),
    object_id: object && (await idOf(at, "object", object)),
  };
}

export const taskTable = idTable<Task>("No tasks.", {
  time: ({ held, completed_at, scheduled_time }) =>
    held ? "when it is on" : moment(completed_at ?? scheduled_time),
  status: ({ status }) => status,
  who: ({ type, account }) => (type === "bot" ? "(a bot)" : shortened(account ?? "", 20)),
  object: ({ object }) => shortened(object ?? "(gone)", 30),
  chat: ({ chat }) => shortened(chat ?? "(gone)", 30),
  tries: ({ attempts }) => String(attempts),
  why: ({ held, last_error }) => shortened(held ? "its account is off" : (last_error ?? ""), 60),
});

export const historyTable = idTable<Publication>("Nothing was published.", {
  time: ({ published_at }) => moment(published_at),
  who: ({ account }) => account ?? "(a bot)",
  object: ({ object }) => shortened(object ?? "(gone)", 30),
  chat: ({ chat }) => shortened(chat ?? "(gone)", 30),
  message: ({ message_id, deleted }) => (deleted ? `${message_id} (gone)` : message_id),
});
