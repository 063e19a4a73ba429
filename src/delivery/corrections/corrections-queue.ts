import type { Sql } from "../../kernel/db/index.ts";
import type { ChannelProfile, PlatformName } from "../../platforms/index.ts";
import type { Turn } from "../dispatch/queue.ts";
import type { Settlement } from "../dispatch/started-delivery.ts";
import type { PostedRow } from "./posted.ts";

/** A correction that `delivery.start_corrections` gave to this process: the type `delivery.started_correction`. */
export interface StartedCorrection {
  readonly workspace_id: string;
  readonly correction_id: string;
  readonly delivery_id: string;
  readonly claim_token: string;
  readonly kind: "edit" | "remove";
  readonly channel_id: string;
  readonly platform: PlatformName;
  readonly target_id: string;
  readonly send_mode: ChannelProfile["sendMode"];
  readonly settings: Readonly<Record<string, unknown>>;
  readonly secret_ref: string | null;
  /** The new text, and the compiled post; null for a removal. */
  readonly rendered_text: string | null;
  readonly render_meta: { readonly compiled?: unknown };
  readonly posted: PostedRow;
  readonly sent_at: Date;
  readonly created_at: Date;
  readonly departs_at: Date;
  readonly gap_ms: number | null;
}

/** How an attempt ended, in the form that `delivery.settle_corrections` takes. */
export interface CorrectionSettlement extends Omit<Settlement, "provider_message_id" | "reconciled"> {
  readonly correction_id: string;
  readonly message_ids?: readonly string[];
}

export async function startCorrections(
  sql: Sql,
  workspaceId: string,
  runId: string,
  limit: number,
  now: Date,
): Promise<StartedCorrection[]> {
  return sql<StartedCorrection[]>`
    select * from delivery.start_corrections(${workspaceId}, ${runId}, ${limit}, ${now})`;
}

/** When the workspace has its next correction to start; null if only an event can bring one. */
export async function nextCorrectionAt(sql: Sql, workspaceId: string, now: Date): Promise<Date | null> {
  const [row] = await sql<
    [{ at: Date | null }]
  >`select delivery.next_correction_at(${workspaceId}, ${now}) as at`;
  return row.at;
}

/** Asks for permission for one more request of the correction; undefined if another process has taken it over. */
export async function takeCorrectionTurn(
  sql: Sql,
  { workspace_id, correction_id, claim_token }: StartedCorrection,
  now: Date,
): Promise<Turn | undefined> {
  const [turn] = await sql<Turn[]>`
    select * from delivery.take_correction_turn(${workspace_id}, ${correction_id}, ${claim_token}, ${now})`;
  return turn;
}
