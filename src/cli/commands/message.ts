import { listMessages, type Message, showMessage, statuses } from "../../delivery/index.ts";
import { administer, type Common, viewing } from "../administer.ts";
import { type AddCommand, print } from "../command.ts";
import { UserError } from "../failure.ts";
import { columns, facts, moment, shortened } from "../layout.ts";
import { countOf, messageOf, momentOf } from "../lookup.ts";

/** `molva message list|show`: the posts and how far they came. */
export const addMessage: AddCommand = (program, terminal) => {
  const message = program.command("message").description("look at posts and how far they came");

  viewing(message.command("list").description("posts, newest first"))
    .option("--since <time>", "only newer than this: 30m, 2h, 1d, or a time", momentOf)
    .option("--limit <count>", "how many at most", countOf, 50)
    .option("--before <id>", "older than this one; the `next` of the page before")
    .action(async (options: Common & { since?: Date; limit: number; before?: string }) => {
      const page = await administer(terminal, options, async ({ sql }, workspaceId) => {
        const before = options.before && (await messageOf(sql, workspaceId, options.before));
        return listMessages(sql, workspaceId, { limit: options.limit, since: options.since, before });
      });
      print(terminal, options, page, () =>
        [listed(page.items), ...(page.next ? [`More: --before ${page.next}`] : [])].join("\n"),
      );
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

function listed(items: readonly Message[]): string {
  if (items.length === 0) return "No messages.";
  return columns(
    ["ID", "CAME IN", "DELIVERIES", "SAYS"],
    items.map((item) => [item.id, moment(item.created_at), counted(item), shortened(item.snippet, 60)]),
  );
}

function counted({ deliveries }: Message): string {
  return statuses
    .filter((status) => deliveries[status])
    .map((status) => `${deliveries[status]} ${status}`)
    .join(", ");
}
