import { createHash } from "node:crypto";

/** Telegram ignores a message whose random id it has seen, so the ids are derived from the task: every attempt by any worker sends the same. */
export function randomIdsOf(taskId: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    createHash("sha256")
      .update(`molva account task ${taskId} message ${index}`)
      .digest()
      .readBigInt64BE()
      .toString(),
  );
}
