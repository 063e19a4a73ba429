import { type Command, Option } from "commander";
import { systemClock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import {
  type AddCommand,
  addList,
  administer,
  type Common,
  configOf,
  exitCodes,
  inWorkspace,
  justifying,
  moment,
  momentOf,
  type Paged,
  print,
  reading,
  rehearsable,
  secondsOf,
  shortened,
  type Terminal,
  table,
  UserError,
} from "../../terminal/index.ts";
import type { Correction } from "../corrections/correction.ts";
import {
  type Delivery,
  listDeliveries,
  type Operated,
  type Operation,
  operate,
  releaseStuck,
  requeueCandidates,
  reschedule,
  type Status,
  statuses,
} from "../deliveries/index.ts";
import { channelWords } from "../read/channel-name.ts";
import { type Ahead, aheadOf } from "./ahead.ts";
import { channelNaming, channelOf, deliveryOf, messageOf } from "./called.ts";
import { aDelivery, addCorrections } from "./correct.ts";
import { actOf, type Change } from "./delivery-act.ts";
import {
  addRecover,
  cancelChosen,
  choosesWaiting,
  choosingWaiting,
  type WaitingOptions,
} from "./delivery-many.ts";
import { detailOf, explained } from "./why.ts";

interface Filters extends Common {
  status?: Status[];
  channel?: string;
  message?: string;
  since?: Date;
}

/** `molva delivery …`: shows deliveries and operates on them. */
export const addDelivery: AddCommand = (program, terminal) => {
  const delivery = program
    .command("delivery")
    .description("look at deliveries, requeue, recover, cancel, hold, release, correct them, take them back");
  addList<Delivery, Filters & Paged>(delivery, terminal, {
    about: "deliveries, newest first",
    usual: 50,
    choosing: (list) => filtered(list, statuses),
    page: async ({ sql }, workspaceId, options) =>
      listDeliveries(sql, workspaceId, {
        ...(await filterOf(sql, workspaceId, options)),
        limit: options.limit,
        after: options.after,
      }),
    shown: table("No deliveries.", {
      id: ({ id }) => id,
      status: ({ status, held, withdrawn_at }) =>
        held ? `${status} (held)` : withdrawn_at ? "withdrawn" : status,
      tries: ({ attempt }) => String(attempt),
      channel: ({ channel }) => shortened(channelWords(channel), 40),
      created: ({ created_at }) => moment(created_at),
      says: ({ error, status, snippet }) =>
        shortened(error && status !== "sent" ? `${error.code}: ${error.message}` : snippet, 60),
    }),
  });
  addShow(delivery, terminal);
  addRequeue(delivery, terminal);
  addRecover(delivery, terminal);
  addCancel(delivery, terminal);
  addOperation(delivery, terminal, "hold", "hold", "keep waiting deliveries back");
  addOperation(delivery, terminal, "release", "release", "let held deliveries go on");
  addOperation(
    delivery,
    terminal,
    "send-now",
    "send_now",
    "send without waiting for the planned time; the channel's rate still holds",
  );
  addReschedule(delivery, terminal);
  addReleaseStuck(delivery, terminal);
  addCorrections(delivery, terminal, aDelivery);
};

function addShow(parent: Command, terminal: Terminal): void {
  reading(parent, "show", "one delivery: why it waits, what happened to it")
    .argument("<id>", "the delivery's id, or enough of its beginning")
    .action(async (typed: string, options: Common) => {
      const config = configOf(terminal);
      const shown = await administer(terminal, options, ({ sql }, workspaceId) =>
        detailOf(sql, workspaceId, typed, config),
      );
      print(terminal, options, shown, () =>
        [
          explained(shown, systemClock.now()),
          `\n${shortened(shown.message.snippet, 100)}\n`,
          ...shown.corrections.toReversed().map(correctionLine),
          ...shown.events.map(({ ts, action, attempt, error }) =>
            [
              moment(ts),
              action,
              ...(attempt ? [`#${attempt}`] : []),
              error ? `${error.code}: ${error.message}` : "",
            ]
              .join("  ")
              .trimEnd(),
          ),
        ].join("\n"),
      );
    });
}

/** One version of the post: its text, and whether it was published. */
function correctionLine({ number, kind, status, error, snippet, created_at, operator }: Correction): string {
  const what = kind === "edit" ? `edit ${number}` : `removal ${number}`;
  const said = error && status !== "done" ? `${error.code}: ${error.message}` : (snippet ?? "");
  return [moment(created_at), what, status, operator, shortened(said, 60)].join("  ").trimEnd();
}

function addRequeue(parent: Command, terminal: Terminal): void {
  const command = parent
    .command("requeue")
    .description("send dead deliveries again, or those that failed for a fault of their own")
    .argument("[id...]", "which; or choose them by --status, --channel, --message, --since");
  rehearsable(changingMany(filtered(command, ["dead", "failed_permanent"]))).action(
    async (typed: string[], options: Filters & Change) => {
      const filters = [options.status, options.channel, options.message, options.since];
      if (typed.length > 0 === filters.some((filter) => filter !== undefined))
        throw new UserError(
          "Name the deliveries, or choose them by a filter: one of the two.",
          exitCodes.usage,
        );
      const operated = await administer(terminal, options, async ({ sql }, workspaceId) => {
        const ids =
          typed.length > 0
            ? await all(typed, (id) => deliveryOf(sql, workspaceId, id))
            : await requeueCandidates(sql, workspaceId, await filterOf(sql, workspaceId, options));
        return operate(sql, workspaceId, "requeue", ids, actOf(options));
      });
      report(terminal, options, operated);
    },
  );
}

function addCancel(parent: Command, terminal: Terminal): void {
  const command = parent
    .command("cancel")
    .description("call waiting deliveries off")
    .argument("[id...]", "which; or choose them by --channel, --tag, --state, --source, --since, --before");
  rehearsable(changingMany(choosingWaiting(command))).action(
    async (typed: string[], options: WaitingOptions & Change) => {
      if (typed.length > 0 === choosesWaiting(options))
        throw new UserError(
          "Name the deliveries, or choose them by a filter: one of the two.",
          exitCodes.usage,
        );
      if (typed.length === 0) return cancelChosen(terminal, options);
      await operateOn(terminal, typed, "cancel", options);
    },
  );
}

function addOperation(
  parent: Command,
  terminal: Terminal,
  name: string,
  operation: Operation,
  about: string,
): void {
  const command = parent.command(name).description(about).argument("<id...>", "which deliveries");
  rehearsable(changingMany(command)).action((typed: string[], options: Change) =>
    operateOn(terminal, typed, operation, options),
  );
}

async function operateOn(
  terminal: Terminal,
  typed: readonly string[],
  operation: Operation,
  options: Change,
): Promise<void> {
  const operated = await administer(terminal, options, async ({ sql }, workspaceId) => {
    const ids = await all(typed, (id) => deliveryOf(sql, workspaceId, id));
    return operate(sql, workspaceId, operation, ids, actOf(options));
  });
  report(terminal, options, operated, sameStatus[operation]);
}

function addReschedule(parent: Command, terminal: Terminal): void {
  const command = parent
    .command("reschedule")
    .description("send a waiting delivery at another time; the channel's rate still holds, its hours do not")
    .argument("<id>", "which delivery")
    .argument("<time>", "when: 30m, 2h, 1d ahead, or a time such as 2026-11-15T12:00Z", aheadOf);
  rehearsable(changingMany(command)).action(async (typed: string, ahead: Ahead, options: Change) => {
    const [operated, at] = await administer(terminal, options, async ({ sql, clock }, workspaceId) => {
      const now = clock.now();
      const ids = [await deliveryOf(sql, workspaceId, typed)];
      const at = ahead(now);
      return [await reschedule(sql, workspaceId, ids, at, { ...actOf(options), now }), at];
    });
    report(terminal, options, operated, `at ${moment(at)}`);
  });
}

function addReleaseStuck(parent: Command, terminal: Terminal): void {
  const command = parent
    .command("release-stuck")
    .description("take back what has been claimed or sending for too long")
    .option("--older-than <time>", "for how long: seconds, or 10m, 2h", secondsOf, 600);
  rehearsable(changingMany(command)).action(async (options: Change & { olderThan: number }) => {
    const operated = await administer(terminal, options, ({ sql }, workspaceId) =>
      releaseStuck(sql, workspaceId, options.olderThan, actOf(options)),
    );
    report(terminal, options, operated);
  });
}

const changingMany = (command: Command) => inWorkspace(justifying(command));

const filtered = (command: Command, choices: readonly string[]) =>
  command
    .addOption(new Option("--status <status...>", "only in these statuses").choices(choices))
    .option("--channel <channel>", `only to this one: ${channelNaming}`)
    .option("--message <id>", "only of this post")
    .option("--since <time>", "only newer than this: 30m, 2h, 1d, or a time", momentOf);

async function filterOf(sql: Sql, workspaceId: string, { status, channel, message, since }: Filters) {
  return {
    status,
    channel_id: channel && (await channelOf(sql, workspaceId, channel)),
    message_id: message && (await messageOf(sql, workspaceId, message)),
    since,
  };
}

async function all<T>(typed: readonly string[], find: (one: string) => Promise<T>): Promise<T[]> {
  const found: T[] = [];
  for (const one of typed) found.push(await find(one));
  return found;
}

/** The result of operations that leave the status as it was. */
const sameStatus: Partial<Record<Operation, string>> = {
  hold: "held",
  release: "no longer held",
  send_now: "due now",
};

/** Prints the result for each delivery; an operation that changed none of them is an error. */
function report(terminal: Terminal, options: Change, items: readonly Operated[], done = ""): void {
  const changed = items.filter(({ refusal }) => refusal === null).length;
  const dryRun = options.dryRun ?? false;
  print(terminal, options, { dry_run: dryRun, changed, items }, () =>
    [
      ...items.map(({ delivery_id, was, status, refusal }) =>
        refusal
          ? `${delivery_id}  stays ${was}: ${refusal}`
          : `${delivery_id}  ${was === status && done ? `${status}, ${done}` : `${was} → ${status}`}`,
      ),
      items.length === 0
        ? "No delivery fits; nothing was changed."
        : dryRun
          ? `Would change ${changed} of ${items.length}; nothing was changed.`
          : `Changed ${changed} of ${items.length}.`,
    ].join("\n"),
  );
  if (items.length > 0 && changed === 0) throw new UserError("Nothing could be changed.");
}
