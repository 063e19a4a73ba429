import type { StepContext } from "../../dialogs/index.ts";
import { texts } from "../texts/index.ts";
import type { BotServices } from "./services.ts";

type Turn = Pick<StepContext<never, BotServices>, "services" | "sql" | "workspaceId" | "userId" | "language">;

/** Describes Pro, sends its invoice, and stays where the person is: what they were about to do goes on after it. */
export async function offerPro(turn: Turn) {
  const { notice, ...offer } = await offerDescribedPro(turn);
  return { ...offer, notice: `${texts[turn.language].pro}\n\n${notice}` };
}

/** For a screen that has described Pro already. */
export async function offerDescribedPro({ services, sql, workspaceId, userId, language }: Turn) {
  const t = texts[language];
  if (!services.pro) return { notice: t.getPro(services.proContact) };
  const begun = await services.pro.invoice(sql, { workspaceId, userId, language });
  return begun.ok
    ? { say: [{ invoice: begun.invoice }], notice: t.proOffer.once(services.pro.stars) }
    : { notice: t.proOffer.refused[begun.code] };
}
