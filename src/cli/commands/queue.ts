import { type Queue, queueSnapshot } from "../../delivery/index.ts";
import { systemClock } from "../../kernel/clock/index.ts";
import { type AddCommand, configOf, print } from "../command.ts";
import { withDatabase } from "../database.ts";
import { columns, moment, shortened } from "../layout.ts";
import { workspaceOf } from "../lookup.ts";

/** `molva queue`: the runbook's first look: what waits, where, and what blocks it. */
export const addQueue: AddCommand = (program, terminal) => {
  program
    .command("queue")
    .description("what is in the queue now, by status and by channel")
    .option("--workspace <name>", "the workspace's id or name; the oldest unless given")
    .option("--json", "one line of JSON")
    .action(async (options: { workspace?: string; json?: boolean }) => {
      const queue = await withDatabase(configOf(terminal), async (sql) =>
        queueSnapshot(sql, await workspaceOf(sql, options.workspace), systemClock.now()),
      );
      print(terminal, options, queue, () => shown(queue));
    });
};

const order = ["queued", "retry", "claimed", "sending", "dead"] as const;

function shown({ by_status, due, held, channels }: Queue): string {
  const total = order.map((status) => `${status} ${by_status[status]}`).join(", ");
  const summary = `${total}; due ${due}, held ${held}`;
  if (channels.length === 0) return `${summary}\nNothing is on its way.`;
  const table = columns(
    ["CHANNEL", "DUE", "QUEUED", "RETRY", "CLAIMED", "SENDING", "HELD", "NEXT", "BLOCK"],
    channels.map((line) => [
      `${shortened(line.channel.title ?? line.channel.id, 30)} (${line.channel.platform})`,
      ...[line.due, line.queued, line.retry, line.claimed, line.sending, line.held].map(String),
      moment(line.next_due_at),
      line.block ?? "",
    ]),
  );
  return `${summary}\n\n${table}`;
}
