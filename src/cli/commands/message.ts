import { listMessages, type Message, showMessage, statuses } from "../../delivery/index.ts";
import { administer, type Common, viewing } from "../administer.ts";
import { type AddCommand, print } from "../command.ts";
import { UserError } from "../failure.ts";
import { facts, moment, shortened, table } from "../layout.ts";
import { addList, type Paged } from "../listing.ts";
import { messageOf, momentOf } from "../lookup.ts";

/** `molva message list|show`: the posts and how far they came. */
export const addMessage: AddCommand = (program, terminal) => {
  const message = program.command("message").description("look at posts and how far they came");

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

  viewing(message.command("show").description("one post and its deliveries"))
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
            ({ id, status, channel, error }) =>
              `${id}  ${status}  ${channel.title ?? channel.id} (${channel.platform})${error ? `  ${error.code}: ${error.message}` : ""}`,
          ),
        ].join("\n"),
      );
    });
};

function counted({ deliveries }: Message): string {
  return statuses
    .filter((status) => deliveries[status])
    .map((status) => `${deliveries[status]} ${status}`)
    .join(", ");
}
