import {
  type AddCommand,
  administer,
  type Common,
  columns,
  moment,
  print,
  shortened,
  viewing,
} from "../../terminal/index.ts";
import { type Queue, queueSnapshot } from "../deliveries/index.ts";
import { channelWords } from "../read/channel-name.ts";

/** `molva queue`: the runbook's queue snapshot: what waits, where, and what blocks it. */
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
      shortened(channelWords(line.channel), 40),
      ...[line.due, line.queued, line.retry, line.claimed, line.sending, line.held].map(String),
      moment(line.next_due_at),
      line.block ?? (line.connection === "error" ? "connection_error" : ""),
    ]),
  );
  return `${summary}\n\n${table}`;
}
