import type { Command } from "commander";
import {
  addChatList,
  beginJoining,
  type ChatListSummary,
  changeChatList,
  chatListChanges,
  type JoinSummary,
  type JoinTask,
  joinActions,
  joinPage,
  listChatLists,
  newChatList,
  newJoin,
  readChatList,
  readJoin,
  removeChatList,
  steerJoin,
} from "../../accounts/index.ts";
import { pageOfAll } from "../../workspaces/index.ts";
import { type AccountOptions, idOf, naming, withAccounts } from "../account-deps.ts";
import { checked, explaining, inWorkspace, shown, textOf, viewing } from "../administer.ts";
import { assigned } from "../assignments.ts";
import { print, type Terminal } from "../command.ts";
import { deleting, printDeleted } from "../deletion.ts";
import { fieldsHelp } from "../field-help.ts";
import { idTable } from "../id-table.ts";
import { columns, counted, moment, shortened } from "../layout.ts";
import { type Paged, paging, printPage } from "../listing.ts";

/** `molva account chats-list …` and `molva account join …`: lists of links, and joining them. */
export function addAccountJoin(account: Command, terminal: Terminal): void {
  addLists(account.command("chats-list").description("named lists of t.me links"), terminal);
  addJoins(account.command("join").description("joining the chats of a list, one after the other"), terminal);
}

function addLists(command: Command, terminal: Terminal): void {
  paging(viewing(command.command("list").description("lists of chats"))).action(
    async (options: AccountOptions & Paged) => {
      const page = await withAccounts(terminal, options, async ({ sql, workspaceId, who }) =>
        pageOfAll(await listChatLists(sql, workspaceId, who), options),
      );
      printPage(terminal, options, page, lists);
    },
  );

  viewing(command.command("show").description("one list with its links"))
    .argument("<list>", "its id or its name")
    .action(async (typed: string, options: AccountOptions) => {
      const list = await withAccounts(terminal, options, async (at) =>
        readChatList(at.sql, at.workspaceId, await idOf(at, "list", typed), at.who),
      );
      print(terminal, options, list, () =>
        list.links.map(({ link, title }) => `${link}  ${title ?? ""}`.trimEnd()).join("\n"),
      );
    });

  inWorkspace(explaining(command.command("add").description("make a list out of a file of links")))
    .argument("<name>", "what it is called")
    .requiredOption("--file <path>", "t.me links, one per line; - reads standard input")
    .option("--purpose <what>", "subscription or autopublish", "subscription")
    .option("--public", "everybody may join its chats")
    .option("--owner <login>", "whose it is; admin unless given")
    .action(
      async (name: string, options: AccountOptions & { file: string; purpose: string; public?: boolean }) => {
        const links = await textOf(options.file);
        const given = checked(newChatList, {
          name,
          links,
          purpose: options.purpose,
          is_public: options.public ?? false,
        });
        const list = await withAccounts(terminal, options, ({ deps, workspaceId, who }) =>
          addChatList(deps, workspaceId, given, who),
        );
        print(terminal, options, list, () =>
          [`${list.name}: ${counted(list.chats, "chat")}.`, ...ignored(list.ignored)].join("\n"),
        );
      },
    );

  inWorkspace(
    explaining(command.command("set").description("change a list; tasks that run keep their links")),
  )
    .argument("<list>", "its id or its name")
    .argument("[field=value...]", "what to change")
    .option("--file <path>", "its links anew")
    .addHelpText("after", fieldsHelp(chatListChanges.shape))
    .action(async (typed: string, fields: string[], options: AccountOptions & { file?: string }) => {
      const links = options.file === undefined ? {} : { links: await textOf(options.file) };
      const changes = checked(chatListChanges, { ...assigned(chatListChanges, fields), ...links });
      const list = await withAccounts(terminal, options, async (at) =>
        changeChatList(at.deps, at.workspaceId, await idOf(at, "list", typed), changes, at.who),
      );
      print(terminal, options, list, () =>
        [`${list.name}: ${counted(list.chats, "chat")}.`, ...ignored(list.ignored)].join("\n"),
      );
    });

  deleting(command, "delete a list; tasks that run keep their links")
    .argument("<list>", "its id or its name")
    .action(async (typed: string, options: AccountOptions) => {
      await withAccounts(terminal, options, async (at) =>
        removeChatList(at.deps, at.workspaceId, await idOf(at, "list", typed), at.who, options),
      );
      printDeleted(terminal, options, typed);
    });
}

function addJoins(command: Command, terminal: Terminal): void {
  paging(
    viewing(command.command("list").description("join tasks with what remains and how long it takes")),
  ).action(async (options: AccountOptions & Paged) => {
    const page = await withAccounts(terminal, options, ({ sql, workspaceId, who }) =>
      joinPage(sql, workspaceId, who, options),
    );
    printPage(terminal, options, page, tasks);
  });

  viewing(command.command("show").description("one join task, chat by chat"))
    .argument("<task>", "its id or the beginning of it")
    .action(async (typed: string, options: AccountOptions) => {
      const task = await withAccounts(terminal, options, async (at) =>
        readJoin(at.sql, at.workspaceId, await idOf(at, "join task", typed), at.who),
      );
      print(terminal, options, task, () => taskText(task));
    });

  inWorkspace(explaining(command.command("start").description("let an account join the chats of a list")))
    .argument("<account>", naming.account)
    .argument("<list>", "its id or its name")
    .option("--mode <mode>", "safe: 10 minutes between joins; aggressive: 2", "safe")
    .option("--owner <login>", "whose task it is; admin unless given")
    .action(async (typed: string, list: string, options: AccountOptions & { mode: string }) => {
      const task = await withAccounts(terminal, options, async (at) => {
        const account_id = await idOf(at, "account", typed);
        const list_id = await idOf(at, "list", list);
        const wanted = checked(newJoin, { account_id, list_id, mode: options.mode });
        return beginJoining(at.deps, at.workspaceId, wanted, at.who);
      });
      print(
        terminal,
        options,
        task,
        () => `${counted(task.remaining, "chat")} to join, about ${duration(task.remaining_seconds)}.`,
      );
    });

  for (const action of joinActions)
    inWorkspace(explaining(command.command(action).description(about[action])))
      .argument("<task>", "its id or the beginning of it")
      .action(async (typed: string, options: AccountOptions) => {
        const task = await withAccounts(terminal, options, async (at) =>
          steerJoin(at.deps, at.workspaceId, await idOf(at, "join task", typed), action, at.who),
        );
        print(
          terminal,
          options,
          task,
          () => `${joinStates[task.status]}; ${counted(task.remaining, "chat remains", "chats remain")}.`,
        );
      });
}

const about = {
  pause: "pause a task; its place is kept",
  continue: "let a paused task go on, or a flooded one whose wait is over",
  cancel: "call a task off",
  retry: "take a failed task up again where it stopped",
} as const;

function ignored(lines: readonly { line: number; text: string }[]): string[] {
  return lines.map(({ line, text }) => `  line ${line} is no link to a chat: ${text}`);
}

const lists = idTable<ChatListSummary>("No lists.", {
  name: ({ name }) => name,
  owner: ({ owner, is_public }) => (is_public ? `${owner} (public)` : owner),
  purpose: ({ purpose }) => purpose,
  chats: ({ chats }) => String(chats),
  known: ({ known }) => String(known),
});

const tasks = idTable<JoinSummary>("No join tasks.", {
  account: ({ account }) => account,
  list: ({ list_name }) => list_name,
  status: ({ status }) => status,
  done: ({ chats, remaining }) => `${chats - remaining}/${chats}`,
  remains: ({ remaining, remaining_seconds }) => (remaining > 0 ? duration(remaining_seconds) : ""),
  next: ({ status, next_run_at, flood_until }) => moment(status === "running" ? next_run_at : flood_until),
  "last error": ({ last_error }) => shortened(last_error ?? "", 50),
});

function taskText(task: JoinTask): string {
  const { steps, ...summary } = task;
  return [
    shown(summary),
    columns(
      ["LINK", "STATE", "CHAT", "ERROR"],
      steps.map(({ link, state, title, last_error }) => [
        link,
        state,
        title ?? "",
        shortened(last_error ?? "", 60),
      ]),
    ),
  ].join("\n\n");
}

function duration(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 6) / 10} h`;
}

/** What has become of a task of joining. */
const joinStates = {
  running: "The task goes on",
  paused: "The task is paused",
  flood_wait: "The task waits, as Telegram asked",
  completed: "The task is done",
  failed: "The task was given up",
} as const satisfies Record<JoinTask["status"], string>;
