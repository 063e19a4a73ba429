import type { Command } from "commander";
import {
  addBotChat,
  type Chat,
  changeChat,
  chatChanges,
  chatPage,
  linkChat,
  loadChats,
  newBotChat,
  unlinkChat,
} from "../../accounts/index.ts";
import { type AccountOptions, idOf, naming, switchOf, withAccounts } from "../account-deps.ts";
import { checked, explaining, inWorkspace, shown, viewing } from "../administer.ts";
import { assigned } from "../assignments.ts";
import { print, type Terminal } from "../command.ts";
import { fieldsHelp } from "../field-help.ts";
import { idTable } from "../id-table.ts";
import { counted, shortened } from "../layout.ts";
import { type Paged, paging, printPage } from "../listing.ts";
import { channelNaming, channelOf } from "../lookup.ts";

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

  paging(viewing(command.command("list").description("chats that somebody is in")), 100)
    .option("--account <account>", naming.account)
    .option("--of <who>", "user: chats of accounts; bot: bots' chats")
    .option("--active <on|off>", "only those that are on or off", switchOf)
    .option("--text <part>", "a part of the title")
    .action(async ({ account: typed, of, ...options }: ChatOptions) => {
      const page = await withAccounts(terminal, options, async (at) =>
        chatPage(at.sql, at.workspaceId, at.who, {
          ...options,
          account_id: typed && (await idOf(at, "account", typed)),
          owner_type: of,
        }),
      );
      printPage(terminal, options, page, listed);
    });

  inWorkspace(explaining(command.command("load").description("ask Telegram where the account may write")))
    .argument("<account>", naming.account)
    .action(async (typed: string, options: AccountOptions) => {
      const report = await withAccounts(terminal, options, async (at) =>
        loadChats(at.deps, at.workspaceId, await idOf(at, "account", typed), at.who),
      );
      const { found, added, lost } = report;
      print(
        terminal,
        options,
        report,
        () => `${counted(found, "chat")}: ${added} new; ${lost} that it can no longer write to.`,
      );
    });

  inWorkspace(
    explaining(command.command("set").description("switch a chat on or off, change a bot's filters")),
  )
    .argument("<chat>", naming.chat)
    .argument("<field=value...>", 'as in is_active=false, or filters=\'{"room_types": ["студия"]}\'')
    .addHelpText("after", fieldsHelp(chatChanges.shape))
    .action(async (typed: string, fields: string[], options: AccountOptions) => {
      const changes = checked(chatChanges, assigned(chatChanges, fields));
      const chat = await withAccounts(terminal, options, async (at) =>
        changeChat(at.deps, at.workspaceId, await idOf(at, "chat", typed), changes, at.who),
      );
      print(terminal, options, chat, () => shown(chat));
    });

  inWorkspace(
    explaining(command.command("link").description("link a known chat with an account that is in it")),
  )
    .argument("<account>", naming.account)
    .argument("<chat>", naming.chat)
    .action(async (typed: string, chat: string, options: AccountOptions) => {
      const linked = await withAccounts(terminal, options, async (at) =>
        linkChat(
          at.deps,
          at.workspaceId,
          await idOf(at, "account", typed),
          await idOf(at, "chat", chat),
          at.who,
        ),
      );
      print(terminal, options, linked, () => `${typed} publishes in ${linked.title}.`);
    });

  inWorkspace(
    explaining(command.command("unlink").description("publish there no more; the account stays a member")),
  )
    .argument("<account>", naming.account)
    .argument("<chat>", naming.chat)
    .action(async (typed: string, chat: string, options: AccountOptions) => {
      await withAccounts(terminal, options, async (at) =>
        unlinkChat(
          at.deps,
          at.workspaceId,
          await idOf(at, "account", typed),
          await idOf(at, "chat", chat),
          at.who,
        ),
      );
      print(terminal, options, { unlinked: true }, () => `${typed} publishes in ${chat} no more.`);
    });

  inWorkspace(
    explaining(command.command("bot").description("let a bot publish objects into one of its channels")),
  )
    .argument("<channel>", channelNaming)
    .argument(
      "[filters]",
      'JSON, as in {"districts": ["ЦАО"], "price_max": 90000}; {"common": true} takes everything',
    )
    .action(async (channel: string, filters: string | undefined, options: AccountOptions) => {
      const chat = await withAccounts(terminal, options, async (at) => {
        const typed = filters === undefined ? [] : [`filters=${filters}`];
        const channel_id = await channelOf(at.sql, at.workspaceId, channel);
        const given = checked(newBotChat, { ...assigned(newBotChat, typed), channel_id });
        return addBotChat(at.deps, at.workspaceId, given, at.who);
      });
      print(terminal, options, chat, () => shown(chat));
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
