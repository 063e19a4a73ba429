import { createHash } from "node:crypto";

/**
 * What Telegram knows the task's messages by: it makes no second message of an id that it has seen. The same task gives the same
 * ids however often it is tried and by whom.
 */
export function randomIdsOf(taskId: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    createHash("sha256")
      .update(`molva account task ${taskId} message ${index}`)
      .digest()
      .readBigInt64BE()
      .toString(),
  );
}
