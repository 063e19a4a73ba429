import { type Command, Option } from "commander";
import type { Sql } from "../../kernel/db/index.ts";
import { isUuid } from "../../kernel/ids/index.ts";
import {
  administer,
  exitCodes,
  moment,
  type Paged,
  paging,
  print,
  printPage,
  reading,
  shortened,
  shown,
  type Terminal,
  table,
  UserError,
} from "../../terminal/index.ts";
import { messagePage, readMessage } from "../webhooks/read-webhooks.ts";
import { messageStatuses, type WebhookMessage } from "../webhooks/webhook-shape.ts";

interface LogOptions extends Paged {
  readonly status?: WebhookMessage["status"];
  readonly type?: string;
}

/** `molva webhook log <webhook> [message]`. */
export function addWebhookLog(
  command: Command,
  terminal: Terminal,
  webhookCalled: (sql: Sql, workspaceId: string, typed: string) => Promise<string>,
): void {
  paging(
    reading(command, "log", "what a webhook was told, newest first; or one message with its attempts"),
    20,
  )
    .argument("<webhook>", "its id or the beginning of it")
    .argument("[message]", "the id of one message")
    .addOption(new Option("--status <status>", "only these").choices(messageStatuses))
    .option("--type <type>", "only these, as in delivery.dead")
    .action(async (typed: string, message: string | undefined, options: LogOptions) => {
      if (message !== undefined) {
        requireWholeId(message);
        const found = await administer(terminal, options, async ({ sql }, workspaceId) =>
          readMessage(sql, workspaceId, await webhookCalled(sql, workspaceId, typed), message),
        );
        print(terminal, options, found, () => shown(found));
        return;
      }
      const page = await administer(terminal, options, async ({ sql }, workspaceId) =>
        messagePage(sql, workspaceId, await webhookCalled(sql, workspaceId, typed), options),
      );
      printPage(terminal, options, page, messages);
    });
}

/** Several webhooks may have a message of the same event, so that the beginning of an id would not do. */
export function requireWholeId(typed: string): void {
  if (!isUuid(typed))
    throw new UserError(
      `${typed} is not the id of a message: give it as the log prints it.`,
      exitCodes.usage,
    );
}

const messages = table<WebhookMessage>("Nothing yet.", {
  id: ({ event_id }) => event_id,
  happened: ({ created_at }) => moment(created_at),
  type: ({ type }) => type,
  status: ({ status }) => status,
  attempts: ({ attempts }) => String(attempts),
  next: ({ next_attempt_at }) => moment(next_attempt_at),
  answer: ({ response_status, error }) => shortened(error ?? String(response_status ?? ""), 60),
});
