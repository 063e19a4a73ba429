import type { ChannelCheck, CheckFinding, CheckStep, SendError } from "./contract.ts";

/** Findings that do not keep a channel from working. */
const harmless: ReadonlySet<CheckFinding> = new Set(["ok", "cannot_be_checked"]);

/** Runs the steps in order and stops at the first problem: later steps depend on earlier ones. */
export async function walk(steps: readonly (() => Promise<CheckStep>)[]): Promise<ChannelCheck> {
  const walked: CheckStep[] = [];
  for (const step of steps) {
    const found = await step();
    walked.push(found);
    if (!harmless.has(found.finding)) return { ok: false, steps: walked };
    if (found.finding === "cannot_be_checked") break;
  }
  return { ok: true, steps: walked };
}

/**
 * Turns a refusal into a finding. `findings` maps the error codes of this step; an outage is `unreachable`.
 */
export function refusedAs(
  step: CheckStep["step"],
  error: SendError,
  findings: (error: SendError) => CheckFinding | undefined,
): CheckStep {
  const outage = error.category === "TRANSIENT" && error.scope !== "channel";
  const finding = outage ? "unreachable" : (findings(error) ?? "unreachable");
  return { step, finding, said: error.message };
}
