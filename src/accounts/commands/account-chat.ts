import type { Command } from "commander";
import { channelNaming, channelOf } from "../../delivery/index.ts";
import {
  assigned,
  changing,
  checked,
  counted,
  idTable,
  type Paged,
  reading,
  shortened,
  shown,
  type Terminal,
} from "../../terminal/index.ts";
import {
  addBotChat,
  type Chat,
  changeChat,
  chatChanges,
  chatPage,
  linkChat,
  newBotChat,
  unlinkChat,
} from "../chats/chats.ts";
import { loadChats } from "../chats/load-chats.ts";
import { type AccountOptions, accountCommands, idOf, naming, switchOf } from "./with-accounts.ts";

interface ChatOptions extends AccountOptions, Paged {
  readonly account?: string;
  readonly of?: string;
  readonly active?: boolean;
  readonly text?: string;
}

/** `molva account chat list|load|set|link|unlink|bot`: where is published. */
export function addAccountChat(account: Command, terminal: Terminal): void {
  const command = account
    .command("chat")
    .description("chats of accounts, and bots' chats with their filters");

  const { run, one, change, list } = accountCommands(terminal);

  list(
    reading(command, "list", "chats that somebody is in")
      .option("--account <account>", naming.account)
      .option("--of <who>", "user: chats of accounts; bot: bots' chats")
      .option("--active <on|off>", "only those that are on or off", switchOf)
      .option("--text <part>", "a part of the title"),
    100,
    async (at, { account: typed, of, ...options }: ChatOptions) =>
      chatPage(at.sql, at.workspaceId, at.who, {
        ...options,
        account_id: typed && (await idOf(at, "account", typed)),
        owner_type: of,
      }),
    listed,
  );
  one(
    changing(command, "load", "ask Telegram where the account may write"),
    "account",
    ({ deps, workspaceId, who }, id) => loadChats(deps, workspaceId, id, who),
    ({ found, added, lost }) =>
      `${counted(found, "chat")}: ${added} new; ${lost} that it can no longer write to.`,
  );
  change(
    changing(command, "set", "switch a chat on or off, change a bot's filters"),
    "chat",
    { schema: chatChanges, about: 'as in is_active=false, or filters=\'{"room_types": ["студия"]}\'' },
    ({ deps, workspaceId, who }, id, changes) => changeChat(deps, workspaceId, id, changes, who),
  );

  changing(command, "link", "link a known chat with an account that is in it")
    .argument("<account>", naming.account)
    .argument("<chat>", naming.chat)
    .action((typed: string, chat: string, options: AccountOptions) =>
      run(
        options,
        async (at) => {
          const accountId = await idOf(at, "account", typed);
          return linkChat(at.deps, at.workspaceId, accountId, await idOf(at, "chat", chat), at.who);
        },
        ({ title }) => `${typed} publishes in ${title}.`,
      ),
    );

  changing(command, "unlink", "publish there no more; the account stays a member")
    .argument("<account>", naming.account)
    .argument("<chat>", naming.chat)
    .action((typed: string, chat: string, options: AccountOptions) =>
      run(
        options,
        async (at) => {
          const accountId = await idOf(at, "account", typed);
          await unlinkChat(at.deps, at.workspaceId, accountId, await idOf(at, "chat", chat), at.who);
          return { unlinked: true };
        },
        () => `${typed} publishes in ${chat} no more.`,
      ),
    );

  changing(command, "bot", "let a bot publish objects into one of its channels")
    .argument("<channel>", channelNaming)
    .argument(
      "[filters]",
      'JSON, as in {"districts": ["ЦАО"], "price_max": 90000}; {"common": true} takes everything',
    )
    .action((channel: string, filters: string | undefined, options: AccountOptions) => {
      const typed = filters === undefined ? [] : [`filters=${filters}`];
      return run(
        options,
        async (at) => {
          const channel_id = await channelOf(at.sql, at.workspaceId, channel);
          const given = checked(newBotChat, { ...assigned(newBotChat, typed), channel_id });
          return addBotChat(at.deps, at.workspaceId, given, at.who);
        },
        shown,
      );
    });
}

const listed = idTable<Chat>("No chats. molva account chat load asks Telegram for an account's.", {
  title: ({ title }) => shortened(title, 50),
  type: ({ type }) => type ?? "",
  state: ({ is_active }) => (is_active ? "on" : "off"),
  published: ({ published_count }) => String(published_count),
  accounts: ({ owner_type, accounts }) =>
    owner_type === "bot"
      ? "(a bot)"
      : accounts.map(({ title, can_write }) => (can_write ? title : `${title} (may not write)`)).join(", "),
});
