/** What cannot be done, on a screen of its own with ways out; and the ways that several flows share. */
import type { StepResult, Work } from "../../dialogs/index.ts";
import type { Fault } from "../backend/fault.ts";
import { both, type Texts, texts } from "../texts/index.ts";
import { askerOf, type BotServices } from "./services.ts";

/** Where work leads that a mistake of ours has ended. */
export const broken = { to: "trouble", text: both((t) => t.failed) } as const;

export const toMenu = { label: both((t) => t.toMenu), to: "flow:Menu" } as const;

/** Tells about Pro without leaving the screen. */
export const proButton = {
  label: both((t) => t.openPro),
  to: "@stay",
  press: ({ services, language }: { services: BotServices; language: "ru" | "en" }) => ({
    notice: `${texts[language].pro}\n\n${texts[language].getPro(services.proContact)}`,
  }),
} as const;

export function inTrouble<Again extends string>(
  trouble: Fault,
  again: Again,
): StepResult<{ trouble: Fault | null; again: Again }, "trouble"> {
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

/** The screen itself, for flows whose work is simply done again; `needsPro` says what cannot be had on Free. */
export function troubleState<Again extends string>(
  needsPro: (t: Texts) => string,
  ...again: readonly [Again, ...Again[]]
) {
  return {
    ask: (data: { readonly trouble: Fault | null }, language: "ru" | "en") =>
      data.trouble?.kind === "pro_required" ? needsPro(texts[language]) : troubleText(data, language),
    noBack: true,
    passesOn: true,
    buttons: {
      again: {
        label: both((t) => t.again),
        when: mayPass,
        to: again,
        press: ({ data }: { readonly data: { readonly again: Again } }) => ({ to: data.again }),
      },
      pro: { ...proButton, when: wantsPro },
      menu: toMenu,
    },
  };
}

type ForgetWork = Pick<Work<never, BotServices>, "userId" | "chatId" | "language" | "services" | "signal">;

/** Has a pet deleted, or everything, and says so in the menu. */
export async function forgetting<Again extends string>(
  work: ForgetWork,
  petId: string | null,
  again: Again,
  said: (t: Texts) => string,
): Promise<StepResult<{ trouble: Fault | null; again: Again }, "trouble">> {
  const gone = await work.services.backend.forget(askerOf(work), petId, work.signal);
  // Gone already is gone too: the first try may have done it and not been heard of.
  return gone.ok || gone.fault.kind === "nothing_kept"
    ? { to: "flow:Menu", notice: said(texts[work.language]) }
    : inTrouble(gone.fault, again);
}
