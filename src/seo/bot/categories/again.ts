/** What it costs to have a text written anew. */
import { z } from "zod";
import type { Language } from "../../../dialogs/index.ts";
import type { RunDetail } from "../../runs/read-runs.ts";
import type { BotVisit } from "../services.ts";
import { texts } from "../texts/index.ts";

export const againShape = z.object({
  /** How often it is still free. */
  freeLeft: z.int(),
  /** Then: as much as the first time; nothing for an administrator. */
  tokens: z.int(),
});
export type Again = z.infer<typeof againShape>;
export const noneAgain: Again = { freeLeft: 0, tokens: 0 };

export function againOf(
  { services }: Pick<BotVisit, "services">,
  { kind, receipt }: Pick<RunDetail, "kind" | "receipt">,
  regenerations: number,
): Again {
  return {
    freeLeft: Math.max(0, services.runs.rules.freeRegenerations - regenerations),
    tokens: receipt.find(({ step }) => step === kind)?.charged ?? 0,
  };
}

export function againLabel({ freeLeft, tokens }: Again, language: Language): string {
  const say = texts[language].categories.regenerate;
  return freeLeft > 0 || tokens === 0 ? say.free(freeLeft) : say.paid(tokens);
}
