import { expect, it } from "vitest";
import { texts } from "../texts/index.ts";
import { errorKinds, errorOf } from "./backend-error.ts";

/** Every row of the service's table of errors. */
it.each([
  [400, "bad_request", "missing_text", "refused"],
  [400, "bad_request", "attachment_too_large", "file_too_large"],
  [400, "bad_request", "wrong_content", "photo_unreadable"],
  [401, "unauthorized", "unauthorized", "unauthorized"],
  [401, "unauthorized", "invalid_signature", "file_gone"],
  [402, "plan_required", "pro_required", "pro_required"],
  [403, "https_required", "https_required", "unauthorized"],
  [404, "not_found", "no_active_pet", "nothing_kept"],
  [404, "not_found", "media_not_found", "file_gone"],
  [404, "not_found", "unknown_path", "broken"],
  [409, "conflict", "request_in_progress", "busy"],
  [409, "conflict", "request_id_conflict", "stale"],
  [409, "conflict", "answer_expired", "stale"],
  [409, "conflict", "request_superseded", "stale"],
  [429, "rate_limited", "cooldown", "cooldown"],
  [429, "rate_limited", "daily_limit_exceeded", "daily_limit"],
  [429, "rate_limited", "research_limit_exceeded", "research_limit"],
  [429, "rate_limited", "vision_limit_exceeded", "photo_limit"],
  [500, "internal", "internal", "broken"],
  [500, "server_misconfigured", "server_misconfigured", "broken"],
  [502, "llm_failed", "vision_not_processed", "photo_unseen"],
  [502, "llm_failed", "empty_answer", "model_failed"],
  [503, "llm_not_configured", "not_configured", "model_missing"],
  [504, "llm_timeout", "llm_timeout", "model_late"],
] as const)("%i %s (%s) is %s", (status, code, reason, kind) => {
  expect(errorOf(status, { error: { code, reason, message: "…" } }, undefined).kind).toBe(kind);
});

it("a gateway in front of a service that is away is not the service", () => {
  expect(errorOf(502, undefined, undefined).kind).toBe("unreachable");
  expect(errorOf(503, "<html>", "7")).toEqual({ kind: "unreachable", waitSeconds: 7 });
});

// covers advisor: Telegram bot
it("every error has its text in both languages", () => {
  for (const kind of errorKinds)
    for (const { errors } of Object.values(texts)) {
      expect(errors[kind](null)).toMatch(/\w|[а-я]/i);
      expect(errors[kind](120)).not.toContain("undefined");
    }
});
