/** Errors of the service, as many as the bot has different texts for. */
import { z } from "zod";

export const errorKinds = [
  "unreachable",
  /** Wrong token or TLS required: only the bot's owner can fix it. */
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
  /** The answer is still being prepared. */
  "busy",
  /** This request id cannot be used again. */
  "stale",
  "model_failed",
  "model_late",
  "model_missing",
  "refused",
  "broken",
] as const;

export const backendErrorSchema = z.object({
  kind: z.enum(errorKinds),
  waitSeconds: z.number().nullable(),
});
export type BackendError = z.infer<typeof backendErrorSchema>;
export type BackendErrorKind = BackendError["kind"];

export type Answered<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: BackendError };

export function failed(
  kind: BackendErrorKind,
  waitSeconds: number | null = null,
): { ok: false; error: BackendError } {
  return { ok: false, error: { kind, waitSeconds } };
}

const errorShape = z.object({ error: z.object({ code: z.string(), reason: z.string().optional() }) });

/** By reason first: several reasons share a status. */
const byReason: Readonly<Record<string, BackendErrorKind>> = {
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

const byStatus: Readonly<Record<number, BackendErrorKind>> = {
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

export function errorOf(status: number, body: unknown, retryAfter: string | undefined): BackendError {
  const read = errorShape.safeParse(body);
  const seconds = Number(retryAfter);
  const waitSeconds = retryAfter !== undefined && Number.isFinite(seconds) ? seconds : null;
  // An HTML error comes from a gateway: the service was not reached.
  if (!read.success && status >= 502) return { kind: "unreachable", waitSeconds };
  const reason = read.success ? read.data.error.reason : undefined;
  const kind = (reason === undefined ? undefined : byReason[reason]) ?? byStatus[status] ?? "broken";
  return { kind, waitSeconds };
}
