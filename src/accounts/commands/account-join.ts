import type { Command } from "commander";
import {
  assigned,
  changing,
  checked,
  columns,
  counted,
  deleting,
  explaining,
  fieldsHelp,
  idTable,
  inWorkspace,
  moment,
  printDeleted,
  reading,
  shortened,
  shown,
  type Terminal,
  textOf,
} from "../../terminal/index.ts";
import { pageOfAll } from "../../workspaces/index.ts";
import {
  addChatList,
  type ChatListSummary,
  changeChatList,
  chatListChanges,
  listChatLists,
  newChatList,
  readChatList,
  removeChatList,
} from "../joins/chat-lists.ts";
import {
  beginJoining,
  type JoinSummary,
  type JoinTask,
  joinActions,
  joinPage,
  newJoin,
  readJoin,
  steerJoin,
} from "../joins/join-tasks.ts";
import { type AccountOptions, accountCommands, idOf, naming, withAccounts } from "./with-accounts.ts";

/** `molva account chats-list …` and `molva account join …`: lists of links, and joining them. */
export function addAccountJoin(account: Command, terminal: Terminal): void {
  addLists(account.command("chats-list").description("named lists of t.me links"), terminal);
  addJoins(account.command("join").description("joining the chats of a list, one after the other"), terminal);
}

function addLists(command: Command, terminal: Terminal): void {
  const { run, one, list } = accountCommands(terminal);

  list(
    reading(command, "list", "lists of chats"),
    undefined,
    async ({ sql, workspaceId, who }, options) =>
      pageOfAll(await listChatLists(sql, workspaceId, who), options),
    lists,
  );
  one(
    reading(command, "show", "one list with its links"),
    "list",
    ({ sql, workspaceId, who }, id) => readChatList(sql, workspaceId, id, who),
    ({ links }) => links.map(({ link, title }) => `${link}  ${title ?? ""}`.trimEnd()).join("\n"),
  );

  changing(command, "add", "make a list out of a file of links")
    .argument("<name>", "its name")
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
        await run(
          options,
          ({ deps, workspaceId, who }) => addChatList(deps, workspaceId, given, who),
          savedList,
        );
      },
    );

  changing(command, "set", "change a list; tasks that run keep their links")
    .argument("<list>", naming.list)
    .argument("[field=value...]", "what to change")
    .option("--file <path>", "its links anew")
    .addHelpText("after", fieldsHelp(chatListChanges.shape))
    .action(async (typed: string, fields: string[], options: AccountOptions & { file?: string }) => {
      const links = options.file === undefined ? {} : { links: await textOf(options.file) };
      const changes = checked(chatListChanges, { ...assigned(chatListChanges, fields), ...links });
      await run(
        options,
        async (at) => changeChatList(at.deps, at.workspaceId, await idOf(at, "list", typed), changes, at.who),
        savedList,
      );
    });

  deleting(command, "delete a list; tasks that run keep their links")
    .argument("<list>", naming.list)
    .action(async (typed: string, options: AccountOptions) => {
      await withAccounts(terminal, options, async (at) =>
        removeChatList(at.deps, at.workspaceId, await idOf(at, "list", typed), at.who, options),
      );
      printDeleted(terminal, options, typed);
    });
}

function addJoins(command: Command, terminal: Terminal): void {
  const { run, one, list: addJoinList } = accountCommands(terminal);

  addJoinList(
    reading(command, "list", "join tasks with what remains and how long it takes"),
    undefined,
    ({ sql, workspaceId, who }, options) => joinPage(sql, workspaceId, who, options),
    tasks,
  );
  one(
    reading(command, "show", "one join task, chat by chat"),
    "join task",
    ({ sql, workspaceId, who }, id) => readJoin(sql, workspaceId, id, who),
    taskText,
  );

  changing(command, "start", "let an account join the chats of a list")
    .argument("<account>", naming.account)
    .argument("<list>", naming.list)
    .option("--mode <mode>", "safe: 10 minutes between joins; aggressive: 2", "safe")
    .option("--owner <login>", "whose task it is; admin unless given")
    .action((typed: string, list: string, options: AccountOptions & { mode: string }) =>
      run(
        options,
        async (at) => {
          const account_id = await idOf(at, "account", typed);
          const list_id = await idOf(at, "list", list);
          const wanted = checked(newJoin, { account_id, list_id, mode: options.mode });
          return beginJoining(at.deps, at.workspaceId, wanted, at.who);
        },
        ({ remaining, remaining_seconds }) =>
          `${counted(remaining, "chat")} to join, about ${duration(remaining_seconds)}.`,
      ),
    );

  for (const action of joinActions)
    one(
      inWorkspace(explaining(command.command(action).description(about[action]))),
      "join task",
      ({ deps, workspaceId, who }, id) => steerJoin(deps, workspaceId, id, action, who),
      ({ status, remaining }) =>
        `${joinStates[status]}; ${counted(remaining, "chat remains", "chats remain")}.`,
    );
}

const about = {
  pause: "pause a task; its place is kept",
  continue: "let a paused task go on, or a flooded one whose wait is over",
  cancel: "call a task off",
  retry: "take a failed task up again where it stopped",
} as const;

function savedList({ name, chats, ignored }: Awaited<ReturnType<typeof addChatList>>): string {
  const lines = ignored.map(({ line, text }) => `  line ${line} is no link to a chat: ${text}`);
  return [`${name}: ${counted(chats, "chat")}.`, ...lines].join("\n");
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
