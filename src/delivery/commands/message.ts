import {
  type AddCommand,
  addList,
  administer,
  type Common,
  facts,
  moment,
  momentOf,
  type Paged,
  print,
  reading,
  shortened,
  table,
  UserError,
} from "../../terminal/index.ts";
import { listMessages, type Message, messageStatuses, showMessage } from "../deliveries/index.ts";
import { channelWords } from "../read/channel-name.ts";
import { addressedLine } from "./addressed-line.ts";
import { messageOf } from "./called.ts";
import { addCorrections, aPost } from "./correct.ts";

/** `molva message list|show|correct|withdraw`: the posts, their progress, and corrections of them. */
export const addMessage: AddCommand = (program, terminal) => {
  const message = program
    .command("message")
    .description("look at posts and how far they came, correct them, take them back");

  addList<Message, Paged & { since?: Date }>(message, terminal, {
    about: "posts, newest first",
    usual: 50,
    choosing: (list) =>
      list.option("--since <time>", "only newer than this: 30m, 2h, 1d, or a time", momentOf),
    page: ({ sql }, workspaceId, options) => listMessages(sql, workspaceId, options),
    shown: table("No messages.", {
      id: ({ id }) => id,
      "came in": ({ created_at }) => moment(created_at),
      deliveries: counted,
      says: ({ snippet }) => shortened(snippet, 60),
    }),
  });

  reading(message, "show", "one post and its deliveries")
    .argument("<id>", "the message's id, or enough of its beginning")
    .action(async (typed: string, options: Common) => {
      const shown = await administer(terminal, options, async ({ sql }, workspaceId) =>
        showMessage(sql, workspaceId, await messageOf(sql, workspaceId, typed)),
      );
      if (!shown) throw new UserError(`There is no message ${typed} in this workspace.`);
      print(terminal, options, shown, () =>
        [
          facts([
            ["message", shown.id],
            ["says", shortened(shown.snippet, 160)],
            ["media", shown.media > 0 ? String(shown.media) : ""],
            ["tags", shown.tags.join(", ")],
            ["source", shown.source_ref],
            [
              "came in",
              `${moment(shown.created_at)}${shown.seen_count > 1 ? `, ${shown.seen_count} times` : ""}`,
            ],
            ["deliveries", counted(shown)],
          ]),
          "",
          ...shown.items.map(
            ({ id, status, withdrawn_at, channel, addressed, error }) =>
              `${id}  ${withdrawn_at ? "withdrawn" : status}  ${channelWords(channel)}${addressed ? `  ${addressedLine(addressed)}` : ""}${error ? `  ${error.code}: ${error.message}` : ""}`,
          ),
        ].join("\n"),
      );
    });
  addCorrections(message, terminal, aPost);
};

function counted({ deliveries }: Message): string {
  return messageStatuses
    .filter((status) => deliveries[status])
    .map((status) => `${deliveries[status]} ${status}`)
    .join(", ");
}
