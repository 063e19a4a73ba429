import { systemClock } from "../../kernel/clock/index.ts";
import type { Config } from "../../kernel/config/index.ts";
import { idsByPrefix, type Sql } from "../../kernel/db/index.ts";
import {
  type AddCommand,
  administer,
  type Common,
  configOf,
  facts,
  momentFrom,
  only,
  print,
  UserError,
  viewing,
  wholeId,
} from "../../terminal/index.ts";
import {
  addressedSchema,
  type DeliveryDetail,
  helps,
  type MessageWhy,
  type Reason,
  reasons,
  showDelivery,
  whyMessage,
} from "../deliveries/index.ts";
import { leasesOf } from "../environment.ts";
import { idColumns } from "../id-columns.ts";
import { unroutedText } from "../ingest/unrouted.ts";
import { channelWords } from "../read/channel-name.ts";
import { addressedLine } from "./addressed-line.ts";
import { deliveryOf } from "./called.ts";
import { correctionLines } from "./correction-lines.ts";
import { errorLine, filledSentence } from "./filled-sentence.ts";
import { pageLine } from "./page-line.ts";

/** `molva why <id>`: the one reason why a delivery is not yet sent; for a post, the reason for each of its channels. */
export const addWhy: AddCommand = (program, terminal) => {
  const command = program
    .command("why")
    .description("say why a post or one of its deliveries is not (yet) sent, and when it is expected to be");
  viewing(command)
    .argument("<id>", "the id of a delivery or of a post, or enough of its beginning")
    .action(async (typed: string, options: Common) => {
      const config = configOf(terminal);
      const now = systemClock.now();
      await administer(terminal, options, async ({ sql }, workspaceId) => {
        const meant = await meantBy(sql, workspaceId, typed);
        if (meant.what === "message") {
          const found = await whyMessage(sql, workspaceId, meant.id, now, leasesOf({ config }));
          if (!found) throw new UserError(`There is no message ${typed} in this workspace.`);
          return print(terminal, options, found, () => explainedMessage(found, now));
        }
        const delivery = await detailOf(sql, workspaceId, meant.id, config);
        const { id: delivery_id, status } = delivery;
        return print(terminal, options, { delivery_id, status, ...delivery.why }, () =>
          explained(delivery, now),
        );
      });
    });
};

interface Meant {
  readonly what: "delivery" | "message";
  readonly id: string;
}

/**
 * A post and its deliveries are created at the same moment, so their ids may begin alike. Then the post is meant, because it
 * shows them all.
 */
async function meantBy(sql: Sql, workspaceId: string, typed: string): Promise<Meant> {
  const find = async (what: Meant["what"]) =>
    (await idsByPrefix(sql, workspaceId, idColumns[what], typed)).map((id): Meant => ({ what, id }));
  const [deliveries, messages] = [await find("delivery"), await find("message")];
  if (deliveries.length === 0 && messages.length === 0)
    return {
      what: "delivery",
      id: await wholeId(sql, workspaceId, { ...idColumns.delivery, what: "delivery or post" }, typed),
    };
  if (deliveries.length !== 1 && messages.length === 1) return only("post", typed, messages);
  return only(
    "delivery",
    typed,
    deliveries.length > 0 ? deliveries : messages,
    ({ what, id }) => `${id}  (${what})`,
  );
}

function explainedMessage({ message_id, items, unrouted }: MessageWhy, now: Date): string {
  if (unrouted) return [`message  ${message_id}`, unroutedText(unrouted)].join("\n");
  return [
    `message  ${message_id}`,
    ...items.map(({ id, status, channel, why, withdrawn_at }) =>
      [
        `${channelWords(channel)}: ${status === why.reason ? status : `${status}, ${why.reason}`}: ${sentence(why.reason, why.details)}`,
        ...(why.expected_at ? [`  expected ${momentFrom(why.expected_at, now)}`] : []),
        ...(why.details.error ? [`  ${errorLine(why.details.error)}`] : []),
        ...(withdrawn_at ? [`  withdrawn ${momentFrom(withdrawn_at, now)}`] : []),
        ...correctionLines(why.details.corrections, now).map(([label, line]) => `  ${label} ${line}`),
        `  ${id}`,
      ].join("\n"),
    ),
  ].join("\n");
}

export async function detailOf(
  sql: Sql,
  workspaceId: string,
  typed: string,
  config: Config,
): Promise<DeliveryDetail> {
  const id = await deliveryOf(sql, workspaceId, typed);
  const delivery = await showDelivery(sql, workspaceId, id, systemClock.now(), leasesOf({ config }));
  if (!delivery) throw new UserError(`There is no delivery ${typed} in this workspace.`);
  return delivery;
}

export function explained(
  { id, status, channel, page, why, losses, withdrawn_at }: DeliveryDetail,
  now: Date,
): string {
  const { reason, since, expected_at, details } = why;
  const { attempt, max_attempts, ahead, group_ahead, addressed, error, hold_reason, help } = details;
  return facts([
    ["delivery", `${id}, ${status}`],
    ["channel", channelWords(channel)],
    ["why", `${reason}: ${sentence(reason, details)}`],
    ["since", momentFrom(since, now)],
    ["expected", momentFrom(expected_at, now)],
    [
      "attempts",
      typeof attempt === "number" && attempt > 0
        ? `${attempt}${max_attempts ? ` of ${max_attempts}` : ""}`
        : "",
    ],
    [
      "ahead",
      ahead ? `${ahead} in the channel${group_ahead ? `, ${group_ahead} in the rate group` : ""}` : "",
    ],
    ["addressed", addressed ? addressedLine(addressedSchema.catch({}).parse(addressed)) : ""],
    ["page", page ? pageLine(page, now) : ""],
    ["held", typeof hold_reason === "string" ? hold_reason : ""],
    ["stopped by", stopper(details)],
    ["withdrawn", withdrawn_at ? momentFrom(withdrawn_at, now) : ""],
    ...correctionLines(details.corrections, now),
    ["error", error ? errorLine(error) : ""],
    ["lost", losses.map(errorLine).join("; ")],
    ["help", Object.entries(helps).find(([name]) => name === help)?.[1].en ?? ""],
  ]);
}

/** Who stopped the channel, and the reason given. */
function stopper({ stopped_by, operator, stop_reason }: Readonly<Record<string, unknown>>): string {
  if (stopped_by === "refusals") return "refusals of its posts";
  if (stopped_by !== "operator") return "";
  const name = typeof operator === "string" ? operator : "an operator";
  return typeof stop_reason === "string" ? `${name}: ${stop_reason}` : name;
}

const sentence = (reason: Reason, details: Readonly<Record<string, unknown>>) =>
  filledSentence(reasons[reason].en, details);
