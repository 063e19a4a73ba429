import type { Clock } from "../../kernel/clock/index.ts";
import { type Failure, type LlmError, type PassedCap, ruleOf } from "../failures.ts";
import type { Candidate } from "../policies/briefing.ts";
import type { Reserved } from "./books.ts";

/** Turns failures into errors for callers. */

export function errorOf(failure: Failure, { provider, model }: Candidate): LlmError {
  return {
    code: ruleOf(failure).code,
    message: `${provider} ${model}: ${failure.message}`,
    provider,
    ...(failure.retryAfterMs !== undefined && { retryAfterMs: failure.retryAfterMs }),
  };
}

export function refusalOf(reserved: Exclude<Reserved, { refused?: undefined }>, clock: Clock): LlmError {
  if (reserved.refused === "budget") return budgetError(reserved.cap);
  if (reserved.refused === "already_answered")
    return { code: "already_answered", message: "this request was answered before" };
  const retryAfterMs = Math.max(0, Date.parse(reserved.until) - clock.now().getTime());
  return { code: "in_progress", message: "this request is being answered", retryAfterMs };
}

export function budgetError(cap: PassedCap): LlmError {
  const whose = ["installation", "workspace"].includes(cap.scope)
    ? `the ${cap.scope}`
    : `${cap.scope} ${cap.subject}`;
  const message = cap.price_unknown
    ? `${whose} has a cap in dollars, and a model of the policy has no price: set it with \`molva llm price set\``
    : // The total of all workspaces is not shown to one of them.
      cap.scope === "installation"
      ? `the cap of ${cap.unit} a ${cap.period} for the whole installation would be passed; who runs the server can raise it`
      : `${whose} may use ${cap.cap} ${cap.unit} a ${cap.period}, and ${cap.used} are used or held`;
  return { code: "budget_exceeded", message, budget: cap };
}
