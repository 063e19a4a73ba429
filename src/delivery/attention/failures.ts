import { z } from "zod";
import type { Sql } from "../../kernel/db/index.ts";
import { namedChannelSchema } from "../read/channel-name.ts";
import { credentialCodes, remedyOf, remedyWords } from "./remedies.ts";

const cause = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("post") }),
  z.object({ kind: z.literal("channel"), channel_id: z.string(), platform: z.string() }),
  z.object({ kind: z.literal("credential"), platform: z.string(), auth_ref: z.string() }),
  z.object({ kind: z.literal("rate_group"), platform: z.string(), rate_group: z.string() }),
]);

const found = z.object({
  code: z.string(),
  scope: z.string().describe("Whose fault it is: `delivery`, `channel` or `platform`"),
  cause: cause.describe("What it is about: the post itself, a channel, a credential or a rate group"),
  deliveries: z.int(),
  posts: z.int(),
  channels: z.int(),
  first_at: z.string(),
  last_at: z.string(),
  message: z.string().nullable().describe("What the newest error said"),
  recoverable: z
    .int()
    .describe("Deliveries for POST /deliveries/recover; fewer if a channel got the post since"),
  requeueable: z.int().describe("Deliveries for POST /deliveries/requeue"),
  sample_channels: z.array(namedChannelSchema).describe("Up to 5, those with the most failures first"),
  sample_deliveries: z.array(z.string()).describe("Up to 3, newest first"),
});

export const failureSchema = found
  .extend({
    remedy: z.enum(remedyWords).describe("What helps"),
    again: z
      .enum(["recover", "requeue", "no"])
      .describe("How they can be sent again when the cause is mended"),
  })
  .meta({ id: "Failure" });
export type Failure = z.infer<typeof failureSchema>;

export interface FailureQuery {
  readonly since: Date;
  readonly code?: string | undefined;
  readonly scope?: string | undefined;
}

export interface Failures {
  /** There are more failures than were looked at: the newest are counted. */
  readonly truncated: boolean;
  /** The newest cause first. */
  readonly groups: Failure[];
}

const answer = z.object({ truncated: z.boolean(), groups: z.array(found) });

/** The most failures of each kind that one answer looks at. */
export const mostLookedAt = 5_000;

export async function failuresSince(
  sql: Sql,
  workspaceId: string,
  { since, code, scope }: FailureQuery,
  most = mostLookedAt,
): Promise<Failures> {
  const [row] = await sql`
    select delivery.failures(${workspaceId}, ${since}, ${credentialCodes}, ${most}) as found`;
  const { truncated, groups } = answer.parse(row?.found);
  const wanted = groups.filter(
    (group) => (code === undefined || group.code === code) && (scope === undefined || group.scope === scope),
  );
  return { truncated, groups: wanted.map((group) => ({ ...group, ...helpFor(group) })) };
}

function helpFor(group: z.infer<typeof found>): Pick<Failure, "remedy" | "again"> {
  const again = group.recoverable > 0 ? "recover" : group.requeueable > 0 ? "requeue" : "no";
  return { remedy: remedyOf(group.code, group.scope), again };
}
