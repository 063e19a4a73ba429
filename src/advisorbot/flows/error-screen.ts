/** The error screen with its buttons, and buttons that several flows share. */
import type { StepResult, Work } from "../../dialogs/index.ts";
import type { BackendError } from "../backend/backend-error.ts";
import { both, type Texts, texts } from "../texts/index.ts";
import { offerPro } from "./offer-pro.ts";
import { askerOf, type BotServices } from "./services.ts";

/** After an unexpected error. */
export const broken = { to: "trouble", text: both((t) => t.failed) } as const;

export const toMenu = { label: both((t) => t.toMenu), to: "flow:Menu" } as const;

/** Offers Pro on the same screen: what the person was about to do waits for them. */
export const proButton = { label: both((t) => t.openPro), to: "@stay", press: offerPro } as const;

export function showError<Again extends string>(
  trouble: BackendError,
  again: Again,
): StepResult<{ trouble: BackendError | null; again: Again }, "trouble"> {
  return { to: "trouble", data: { trouble, again } };
}

/** Errors that a retry may solve. */
export function mayPass({ trouble }: { readonly trouble: BackendError | null }): boolean {
  return trouble === null || passing.has(trouble.kind);
}
const passing = new Set<BackendError["kind"]>([
  ...(["unreachable", "unauthorized", "cooldown", "busy", "stale"] as const),
  ...(["model_failed", "model_late", "model_missing", "broken"] as const),
]);

export function wantsPro({ trouble }: { readonly trouble: BackendError | null }): boolean {
  return trouble?.kind === "pro_required" || trouble?.kind === "daily_limit";
}

export function errorText(
  { trouble }: { readonly trouble: BackendError | null },
  language: "ru" | "en",
): string {
  const { errors } = texts[language];
  return trouble ? errors[trouble.kind](trouble.waitSeconds) : errors.broken(null);
}

/** For flows that simply repeat their work; `needsPro` explains what Free lacks. */
export function errorState<Again extends string>(
  needsPro: (t: Texts) => string,
  ...again: readonly [Again, ...Again[]]
) {
  return {
    ask: (data: { readonly trouble: BackendError | null }, language: "ru" | "en") =>
      data.trouble?.kind === "pro_required" ? needsPro(texts[language]) : errorText(data, language),
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

/** Deletes a pet or all data, and confirms it in the menu. */
export async function forgetting<Again extends string>(
  work: ForgetWork,
  petId: string | null,
  again: Again,
  said: (t: Texts) => string,
): Promise<StepResult<{ trouble: BackendError | null; again: Again }, "trouble">> {
  const gone = await work.services.backend.forget(askerOf(work), petId, work.signal);
  // Already deleted is fine: an earlier attempt may have done it.
  return gone.ok || gone.error.kind === "nothing_kept"
    ? { to: "flow:Menu", notice: said(texts[work.language]) }
    : showError(gone.error, again);
}
