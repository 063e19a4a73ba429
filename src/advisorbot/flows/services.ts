/** What the flows may use, and the pieces that they share. */
import { flowsOf, type Outcome, type Work } from "../../dialogs/index.ts";
import type { Asker, Backend } from "../backend/client.ts";
import type { Fault } from "../backend/fault.ts";
import { both, texts } from "../texts/index.ts";

export interface BotServices {
  readonly backend: Backend;
  newId(): string;
  /** Where a person gets Pro; an operator gives it. */
  readonly proContact: string | undefined;
}

export const flow = flowsOf<BotServices>();

export function askerOf({
  userId,
  chatId,
  language,
}: Pick<Work<never, never>, "userId" | "chatId" | "language">): Asker {
  return { telegramUserId: Number(userId), telegramChatId: Number(chatId), locale: language };
}

/** Tells about Pro without leaving the screen. */
export const proButton = {
  label: both((t) => t.openPro),
  to: "@stay",
  press: ({ services, language }: { services: BotServices; language: "ru" | "en" }) => ({
    notice: texts[language].pro(services.proContact),
  }),
} as const;

/** What cannot be done is told on a screen of its own, with ways out. */
export function inTrouble<Again extends string>(
  trouble: Fault,
  again: Again,
): Outcome<{ trouble: Fault | null; again: Again }, "trouble"> {
  return { to: "trouble", data: { trouble, again } };
}

/** Faults that may have passed when the person presses a moment later. */
export function mayPass({ trouble }: { readonly trouble: Fault | null }): boolean {
  return trouble === null || passing.has(trouble.kind);
}
const passing = new Set<Fault["kind"]>([
  ...(["unreachable", "unauthorized", "cooldown", "busy", "stale"] as const),
  ...(["model_failed", "model_late", "model_missing", "broken"] as const),
]);

export function wantsPro({ trouble }: { readonly trouble: Fault | null }): boolean {
  return trouble?.kind === "pro_required" || trouble?.kind === "daily_limit";
}

export function troubleText({ trouble }: { readonly trouble: Fault | null }, language: "ru" | "en"): string {
  const { faults } = texts[language];
  return trouble ? faults[trouble.kind](trouble.waitSeconds) : faults.broken(null);
}
