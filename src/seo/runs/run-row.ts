import type { Said } from "../said.ts";

export const runStatuses = [
  "queued",
  "running",
  "review",
  "publishing",
  "done",
  "failed",
  "cancelled",
  "expired",
] as const;
export type RunStatus = (typeof runStatuses)[number];

/** A row of `seo.runs`. */
export interface RunRow {
  readonly workspace_id: string;
  readonly id: string;
  readonly user_id: number;
  readonly kind: string;
  readonly status: RunStatus;
  readonly origin: "person" | "schedule";
  readonly project_id: number | null;
  readonly category_id: number | null;
  readonly connection_id: number | null;
  readonly input: unknown;
  readonly result: unknown;
  readonly error: {
    readonly code: string;
    readonly message: Said;
  } | null;
  readonly stage: string | null;
  readonly round: number;
  readonly attempts: number;
  readonly created_at: Date;
}
