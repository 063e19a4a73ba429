import { type Queue, queueSnapshot } from "../../delivery/index.ts";
import { administer, type Common, viewing } from "../administer.ts";
import { type AddCommand, print } from "../command.ts";
import { columns, moment, shortened } from "../layout.ts";

/** `molva queue`: the runbook's first look: what waits, where, and what blocks it. */
export const addQueue: AddCommand = (program, terminal) => {
  const command = program.command("queue").description("what is in the queue now, by status and by channel");
  viewing(command).action(async (options: Common) => {
    const queue = await administer(terminal, options, ({ sql, clock }, workspaceId) =>
      queueSnapshot(sql, workspaceId, clock.now()),
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
