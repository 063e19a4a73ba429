import type { ChannelCheck, CheckFinding, CheckStep, SendError } from "./contract.ts";

/** Findings that do not keep a channel from working. */
const harmless: ReadonlySet<CheckFinding> = new Set(["ok", "cannot_be_checked"]);

/** Asks step by step and stops at the first thing that is wrong: what comes after it could not be answered anyway. */
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

/** A refusal as a finding: `findings` reads what this step may be told, and an outage is nobody's fault. */
export function refusedAs(
  step: CheckStep["step"],
  error: SendError,
  findings: (error: SendError) => CheckFinding | undefined,
): CheckStep {
  const outage = error.category === "TRANSIENT" && error.code !== "chat_migrated";
  const finding = outage ? "unreachable" : (findings(error) ?? "unreachable");
  return { step, finding, said: error.message };
}
