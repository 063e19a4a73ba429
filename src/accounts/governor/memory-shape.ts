import { z } from "zod";
import type { PaceMemory } from "./memory.ts";

const limit = z.object({ met: z.number(), sureness: z.number() });

/** The memory as it is stored. */
export const memoryShape: z.ZodType<PaceMemory> = z.object({
  perDay: z.number(),
  copies: z.number(),
  proven: z.object({ perDay: z.number(), copies: z.number() }),
  perDayLimit: limit.exactOptional(),
  copiesLimit: limit.exactOptional(),
  day: z.object({ start: z.number(), sent: z.number(), copies: z.number(), warned: z.boolean() }),
  quietUntil: z.number(),
  breaker: z.discriminatedUnion("state", [
    z.object({ state: z.literal("closed") }),
    z.object({ state: z.literal("open"), until: z.number(), hours: z.number() }),
    z.object({ state: z.literal("half_open"), trialsLeft: z.number(), hours: z.number() }),
  ]),
  warnings: z.array(
    z.object({
      code: z.enum(["flood_wait", "peer_flood", "slow_mode", "write_forbidden", "account_frozen"]),
      at: z.number(),
      seconds: z.number().exactOptional(),
      counts: z.boolean(),
    }),
  ),
  sentClean: z.number(),
});
