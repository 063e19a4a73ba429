import type { Command } from "commander";
import type { Sql } from "../../kernel/db/index.ts";
import {
  type AddCommand,
  addList,
  administer,
  assigned,
  byOf,
  type Common,
  changing,
  checked,
  counted,
  deleting,
  exitCodes,
  explaining,
  fieldsHelp,
  inWorkspace,
  justifying,
  moment,
  momentOf,
  only,
  print,
  printDeleted,
  reading,
  refuseTyped,
  secretIn,
  shortened,
  shown,
  type Terminal,
  table,
  UserError,
  withCore,
} from "../../terminal/index.ts";
import { deliveryParts } from "../parts.ts";
import { overlap, signingSecret } from "../signatures/signing-secret.ts";
import { addWebhook, changeWebhook, removeWebhook, rotateWebhook } from "../webhooks/change-webhooks.ts";
import { readWebhook, webhookPage } from "../webhooks/read-webhooks.ts";
import { type Replay, replayMessages, testWebhook } from "../webhooks/replay.ts";
import {
  newWebhook,
  type Webhook,
  type WebhookWithSecret,
  webhookChanges,
} from "../webhooks/webhook-shape.ts";
import { overlapOf } from "./overlap.ts";
import { addWebhookLog, requireWholeId } from "./webhook-log.ts";

interface SecretOptions extends Common {
  readonly secretFile?: string;
}

const naming = "its id or the beginning of it";
const ownSecret = "a file that holds a secret of your own, whsec_…; - reads standard input; else one is made";

/** `molva webhook list|show|add|change|remove|rotate|test|log|replay`. */
export const addWebhookCommand: AddCommand = (program, terminal) => {
  const command = program.command("webhook").description("addresses that are told of events, signed");

  addList<Webhook>(command, terminal, {
    about: "webhooks, oldest first",
    page: ({ sql }, workspaceId, options) => webhookPage(sql, workspaceId, options),
    shown: table("No webhooks: molva webhook add.", {
      id: ({ webhook_id }) => webhook_id,
      state: stateOf,
      waiting: ({ waiting }) => String(waiting),
      failed: ({ failed }) => String(failed),
      types: ({ types }) => shortened(types?.join(", ") ?? "all", 40),
      where: ({ url, description }) => [url, description].filter(Boolean).join("  "),
    }),
  });

  reading(command, "show", "one webhook; never its secret")
    .argument("<webhook>", naming)
    .action(async (typed: string, options: Common) => {
      const webhook = await administer(terminal, options, async ({ sql }, workspaceId) =>
        readWebhook(sql, workspaceId, await webhookCalled(sql, workspaceId, typed)),
      );
      print(terminal, options, webhook, () => shown(webhook));
    });

  addAdd(command, terminal);
  addChange(command, terminal);
  addRotate(command, terminal);
  addTest(command, terminal);
  addWebhookLog(command, terminal, webhookCalled);
  addReplay(command, terminal);

  deleting(command, "tell it nothing any more, and forget its secret and log", "remove")
    .argument("<webhook>", naming)
    .action(async (typed: string, options: Common) => {
      const id = await administer(terminal, options, async (deps, workspaceId) => {
        const webhookId = await webhookCalled(deps.sql, workspaceId, typed);
        await removeWebhook(deps, workspaceId, webhookId, byOf(options), options);
        return webhookId;
      });
      printDeleted(terminal, options, id, `webhook ${id}`);
    });
};

function addAdd(command: Command, terminal: Terminal): void {
  changing(command, "add", "tell an address of events; the secret it verifies with is shown once")
    .argument("<url>", "where they are posted, as in https://example.com/molva")
    .argument("[field=value...]", "the rest, as in types=delivery.sent,delivery.dead")
    .option("--secret-file <path>", ownSecret)
    .addHelpText("after", fieldsHelp(newWebhook.shape, ["url", "secret"]))
    .action(async (url: string, typed: string[], options: SecretOptions) => {
      refuseTyped(typed, "secret", "--secret-file");
      const given = { ...assigned(newWebhook, typed), url, ...(await givenSecret(options)) };
      const { reason: _, ...fields } = checked(newWebhook, given);
      const made = await withCore(terminal, options, (core, workspaceId) =>
        addWebhook(deliveryParts(core).webhooks, workspaceId, fields, byOf(options)),
      );
      print(terminal, options, made, () =>
        [withSecret(made), `Try it: molva webhook test ${made.webhook_id}`].join("\n"),
      );
    });
}

function addChange(command: Command, terminal: Terminal): void {
  changing(command, "change", "change a webhook")
    .argument("<webhook>", naming)
    .argument("<field=value...>", "what to change, as in enabled=false; null clears")
    .addHelpText("after", fieldsHelp(webhookChanges.shape))
    .action(async (typed: string, given: string[], options: Common) => {
      const { reason: _, ...changes } = checked(webhookChanges, assigned(webhookChanges, given));
      const changed = await withCore(terminal, options, async (core, workspaceId) => {
        const id = await webhookCalled(core.sql, workspaceId, typed);
        return changeWebhook(deliveryParts(core).webhooks, workspaceId, id, changes, byOf(options));
      });
      print(terminal, options, changed, () => shown(changed));
    });
}

function addRotate(command: Command, terminal: Terminal): void {
  inWorkspace(
    justifying(
      command.command("rotate").description("another secret; messages are signed with both for a while"),
    ),
  )
    .argument("<webhook>", naming)
    .option("--secret-file <path>", ownSecret)
    .option(
      "--overlap <time>",
      "how long the old secret signs too, as in 24h; 0: it ends at once",
      overlapOf,
      overlap.usualSeconds,
    )
    .action(async (typed: string, options: SecretOptions & { overlap: number }) => {
      const rotation = { ...(await givenSecret(options)), overlap_seconds: options.overlap };
      const made = await withCore(terminal, options, async (core, workspaceId) => {
        const id = await webhookCalled(core.sql, workspaceId, typed);
        return rotateWebhook(deliveryParts(core).webhooks, workspaceId, id, rotation, byOf(options));
      });
      print(terminal, options, made, () => withSecret(made));
    });
}

function addTest(command: Command, terminal: Terminal): void {
  reading(command, "test", "send a test message and say whether it arrived")
    .argument("<webhook>", naming)
    .action(async (typed: string, options: Common) => {
      const result = await withCore(terminal, options, async (core, workspaceId) => {
        const id = await webhookCalled(core.sql, workspaceId, typed);
        return testWebhook(deliveryParts(core).webhooks, workspaceId, id);
      });
      if (options.json || result.delivered)
        print(
          terminal,
          options,
          result,
          () => `It arrived: the receiver answered ${result.response_status}.`,
        );
      if (!result.delivered) throw new UserError(`It did not arrive: ${result.error}.`);
    });
}

function addReplay(command: Command, terminal: Terminal): void {
  inWorkspace(
    explaining(
      command
        .command("replay")
        .description("send a message again, or all that failed since a time, under the ids they had"),
    ),
  )
    .argument("<webhook>", naming)
    .argument("[message]", "the id of one message, as the log prints it")
    .option("--failed-since <time>", "2h, 1d, or a time such as 2026-11-15T12:00Z", momentOf)
    .action(async (typed: string, message: string | undefined, options: Common & { failedSince?: Date }) => {
      const replay = replayOf(message, options.failedSince);
      const count = await administer(terminal, options, async (deps, workspaceId) => {
        const id = await webhookCalled(deps.sql, workspaceId, typed);
        return replayMessages(deps, workspaceId, id, replay, byOf(options));
      });
      print(terminal, options, { replayed: count }, () => `${counted(count, "message")} will be sent again.`);
    });
}

function replayOf(message: string | undefined, failedSince: Date | undefined): Replay {
  if ((message === undefined) === (failedSince === undefined))
    throw new UserError("Give the id of a message, or --failed-since <time>.", exitCodes.usage);
  if (message !== undefined) requireWholeId(message);
  return failedSince ? { failedSince } : { eventId: message ?? "" };
}

async function givenSecret({ secretFile }: SecretOptions) {
  const secret = await secretIn(secretFile);
  return secret === undefined ? {} : { secret: checked(signingSecret, secret, "the secret") };
}

async function webhookCalled(sql: Sql, workspaceId: string, typed: string): Promise<string> {
  const { items } = await webhookPage(sql, workspaceId, { limit: 10_000 });
  const found = items.filter(({ webhook_id }) => webhook_id.startsWith(typed.toLowerCase()));
  return only("webhook", typed, found, ({ webhook_id, url }) => `${webhook_id}  ${url}`).webhook_id;
}

function stateOf({ enabled, disabled_reason, failing_since }: Webhook): string {
  if (!enabled) return disabled_reason ? `off (${disabled_reason})` : "off";
  return failing_since ? `failing since ${moment(failing_since)}` : "on";
}

function withSecret({ webhook_id, secret, previous_ends_at }: WebhookWithSecret): string {
  return [
    `Messages of the webhook ${webhook_id} are verified with this secret, which is not shown again:`,
    secret,
    ...(previous_ends_at ? [`Until ${moment(previous_ends_at)} they are signed with the old one, too.`] : []),
  ].join("\n");
}
