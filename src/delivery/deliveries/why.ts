import { z } from "zod";
import type { Sql } from "../../kernel/db/index.ts";
import { isReason, reasons } from "./reasons.ts";

const known = Object.keys(reasons).filter(isReason);

/** Why a delivery is not (yet) sent. */
export const whySchema = z.object({
  reason: z.enum(known),
  since: z.date().nullable(),
  expected_at: z
    .date()
    .nullable()
    .describe("When it should go out; null when nobody can know, or it has ended"),
  details: z.record(z.string(), z.unknown()),
});

export type Why = z.infer<typeof whySchema>;

/** The leases that the processes of this installation use. */
export interface Leases {
  readonly sendingSeconds: number;
  readonly claimedSeconds: number;
}

/** The defaults of the specification. */
export const defaultLeases: Leases = { sendingSeconds: 300, claimedSeconds: 300 };

export async function why(
  sql: Sql,
  workspaceId: string,
  deliveryId: string,
  now: Date,
  { sendingSeconds, claimedSeconds }: Leases = defaultLeases,
): Promise<Why | undefined> {
  const [row] = await sql<Why[]>`
    select reason, since, expected_at, details from delivery.why(
      ${workspaceId}, ${deliveryId}, ${now},
      make_interval(secs => ${sendingSeconds}), make_interval(secs => ${claimedSeconds}))`;
  return row;
}
