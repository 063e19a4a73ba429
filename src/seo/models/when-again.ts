import { counted } from "../../kernel/words/index.ts";
import type { LlmError } from "../../llm/index.ts";
import type { Said } from "../said.ts";

/** Why something was not written, and when to try again if no model is asked until then. */
export function withWait(said: Said, error: LlmError | "refused" | undefined): Said {
  const waitMs = typeof error === "object" ? error.retryAfterMs : undefined;
  if (waitMs === undefined) return said;
  const minutes = Math.ceil(waitMs / 60_000);
  const when = {
    ru: minutes > 1 ? counted(minutes, forms.ru, "ru") : "минуту",
    en: minutes > 1 ? counted(minutes, forms.en, "en") : "a minute",
  };
  return {
    ru: `${said.ru} AI-сервис временно недоступен, попробуйте через ${when.ru}.`,
    en: `${said.en} The AI service is not available now; try again in ${when.en}.`,
  };
}

const forms = {
  ru: { one: "минуту", few: "минуты", many: "минут", other: "минуты" },
  en: { one: "minute", other: "minutes" },
} as const;
