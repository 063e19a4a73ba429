import { type DeliveryDetail, helps, type Reason, reasons, showDelivery } from "../../delivery/index.ts";
import { systemClock } from "../../kernel/clock/index.ts";
import type { Config } from "../../kernel/config/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { administer, type Common, viewing } from "../administer.ts";
import { type AddCommand, configOf, print } from "../command.ts";
import { UserError } from "../failure.ts";
import { facts, moment, momentFrom } from "../layout.ts";
import { deliveryOf } from "../lookup.ts";

/** `molva why <id>`: the one reason a delivery is not yet sent. */
export const addWhy: AddCommand = (program, terminal) => {
  const command = program
    .command("why")
    .description("say why a delivery is not (yet) sent, and when it is expected to be");
  viewing(command)
    .argument("<id>", "the delivery's id, or enough of its beginning")
    .action(async (typed: string, options: Common) => {
      const delivery = await administer(terminal, options, ({ sql }, workspaceId) =>
        detailOf(sql, workspaceId, typed, configOf(terminal)),
      );
      print(terminal, options, { delivery_id: delivery.id, status: delivery.status, ...delivery.why }, () =>
        explained(delivery, systemClock.now()),
      );
    });
};

export async function detailOf(
  sql: Sql,
  workspaceId: string,
  typed: string,
  config: Config,
): Promise<DeliveryDetail> {
  const id = await deliveryOf(sql, workspaceId, typed);
  const delivery = await showDelivery(sql, workspaceId, id, systemClock.now(), {
    sendingSeconds: config.MOLVA_SENDING_LEASE_SECONDS,
    claimedSeconds: config.MOLVA_CLAIMED_LEASE_SECONDS,
  });
  if (!delivery) throw new UserError(`There is no delivery ${typed} in this workspace.`);
  return delivery;
}

export function explained({ id, status, channel, why }: DeliveryDetail, now: Date): string {
  const { reason, since, expected_at, details } = why;
  const { attempt, max_attempts, ahead, group_ahead, error, hold_reason, help } = details;
  return facts([
    ["delivery", `${id}, ${status}`],
    ["channel", `${channel.title ?? channel.id} (${channel.platform})`],
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
    ["held", typeof hold_reason === "string" ? hold_reason : ""],
    ["stopped by", stopper(details)],
    ["error", error ? errorLine(error) : ""],
    ["help", Object.entries(helps).find(([name]) => name === help)?.[1].en ?? ""],
  ]);
}

/** Who stopped the channel, and in which words. */
function stopper({ stopped_by, operator, stop_reason }: Readonly<Record<string, unknown>>): string {
  if (stopped_by === "refusals") return "refusals of its posts";
  if (stopped_by !== "operator") return "";
  const name = typeof operator === "string" ? operator : "an operator";
  return typeof stop_reason === "string" ? `${name}: ${stop_reason}` : name;
}

/** The reason's meaning with the facts it names put in. */
function sentence(reason: Reason, details: Readonly<Record<string, unknown>>): string {
  return reasons[reason].en.replaceAll(/`(\w+)`/g, (_, name: string) => {
    const value = details[name];
    if (typeof value !== "string") return `the ${name} below`;
    return name.endsWith("_at") || name.endsWith("_until") ? moment(value) : value;
  });
}

function errorLine(error: unknown): string {
  if (typeof error !== "object" || error === null) return "";
  const { code, message } = { code: "", message: "", ...error };
  return `${code}: ${message}`;
}
