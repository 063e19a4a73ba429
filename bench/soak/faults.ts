import { tellTwins } from "../shared/twin-chats.ts";

/** Faults of a messenger on an ordinary bad day, with their share of all calls. */
const faults = [
  { fault: { kind: "status", status: 500 }, probability: 0.005 },
  { fault: { kind: "status", status: 502 }, probability: 0.003 },
  { fault: { kind: "drop_before" }, probability: 0.002 },
  { fault: { kind: "drop_after" }, probability: 0.001 },
  { fault: { kind: "malformed" }, probability: 0.001 },
  { fault: { kind: "delay", ms: 300 }, probability: 0.01 },
] as const;

export async function misbehave(twinsUrl: string): Promise<void> {
  for (const fault of faults) await tellTwins(twinsUrl, "faults", { provider: "telegram", ...fault });
}
