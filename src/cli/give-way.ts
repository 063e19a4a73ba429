import { readdirSync } from "node:fs";
import { constants, platform, setPriority } from "node:os";
import type { Role } from "../module/index.ts";

/** Roles that somebody waits for. */
const awaited: readonly Role[] = ["api", "bots", "dispatcher", "accounts"];

/** A process that does nothing anybody waits for gives way to those beside it on the same machine. */
export function giveWay(roles: readonly Role[]): void {
  if (roles.some((role) => awaited.includes(role))) return;
  // Linux keeps a priority per thread; those that draw pictures were started with the process.
  const threads = platform() === "linux" ? readdirSync("/proc/self/task").map(Number) : [process.pid];
  for (const thread of threads) setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL);
}
