import type { Plan } from "../advisor-settings.ts";

/** The only place that chooses a policy: by plan and request, never by guessing how hard a question is. */
export function selectPolicy(
  plan: Plan,
  mode: { research: boolean; media: "none" | "photo" | "audio" },
): string {
  if (plan === "free") return "free_default";
  if (mode.media === "audio") return "pro_voice";
  if (mode.research) return "pro_research";
  return mode.media === "photo" ? "pro_vision" : "pro_default";
}
