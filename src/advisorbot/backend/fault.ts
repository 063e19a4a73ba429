/** Why the service did not do what it was asked, in as many words as the bot has different things to say. */
import { z } from "zod";

export const faultKinds = [
  /** Nobody answers at `BACKEND_URL`. */
  "unreachable",
  /** It does not know our token, or wants TLS: only the owner can help. */
  "unauthorized",
  "pro_required",
  "cooldown",
  "daily_limit",
  "research_limit",
  "photo_limit",
  "photo_unseen",
  "photo_unreadable",
  "file_too_large",
  "file_gone",
  "nothing_kept",
  /** The answer to this very question is still being made. */
  "busy",
  /** This id cannot be asked again. */
  "stale",
  "model_failed",
  "model_late",
  "model_missing",
  "refused",
  "broken",
] as const;

export const faultShape = z.object({
  kind: z.enum(faultKinds),
  /** When it is worth trying again. */
  waitSeconds: z.number().nullable(),
});
export type Fault = z.infer<typeof faultShape>;
export type FaultKind = Fault["kind"];

export type Answered<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly fault: Fault };

export function failed(kind: FaultKind, waitSeconds: number | null = null): { ok: false; fault: Fault } {
  return { ok: false, fault: { kind, waitSeconds } };
}

const errorShape = z.object({ error: z.object({ code: z.string(), reason: z.string().optional() }) });

/** The finer words first: several of them share a status. */
const byReason: Readonly<Record<string, FaultKind>> = {
  cooldown: "cooldown",
  daily_limit_exceeded: "daily_limit",
  research_limit_exceeded: "research_limit",
  vision_limit_exceeded: "photo_limit",
  vision_not_processed: "photo_unseen",
  attachment_too_large: "file_too_large",
  wrong_content: "photo_unreadable",
  invalid_signature: "file_gone",
  media_not_found: "file_gone",
  pet_not_found: "nothing_kept",
  no_active_pet: "nothing_kept",
  request_in_progress: "busy",
  request_id_conflict: "stale",
  answer_expired: "stale",
  request_superseded: "stale",
};

const byStatus: Readonly<Record<number, FaultKind>> = {
  400: "refused",
  401: "unauthorized",
  402: "pro_required",
  403: "unauthorized",
  404: "broken",
  409: "stale",
  429: "cooldown",
  500: "broken",
  502: "model_failed",
  503: "model_missing",
  504: "model_late",
};

export function faultOf(status: number, body: unknown, retryAfter: string | undefined): Fault {
  const read = errorShape.safeParse(body);
  const seconds = Number(retryAfter);
  const waitSeconds = retryAfter !== undefined && Number.isFinite(seconds) ? seconds : null;
  // A gateway in front of the service speaks HTML: the service itself was not reached.
  if (!read.success && status >= 502) return { kind: "unreachable", waitSeconds };
  const reason = read.success ? read.data.error.reason : undefined;
  const kind = (reason === undefined ? undefined : byReason[reason]) ?? byStatus[status] ?? "broken";
  return { kind, waitSeconds };
}
