/** Ways on when somebody deleted, on another device, what the flow was about. */
import type { Language, StepResult, Target, Targets } from "../../../dialogs/index.ts";
import { texts } from "../texts/index.ts";

const home = "screen:dashboard";

/** The targets of a handler that may find nothing any more. */
export function orHome<Name extends string>(to: Targets<Name>): readonly [Target<Name>, ...Target<Name>[]] {
  return typeof to === "string" ? [to, home] : [...to, home];
}

/** A result whose only target needs no name, although `orHome` added another. */
export function leading<Data, Name extends string>(
  result: StepResult<Data, Name>,
  to: Targets<Name>,
): StepResult<Data, Name> {
  if (result.refuse !== undefined || result.to !== undefined || typeof to !== "string") return result;
  return { ...result, to };
}

export function goneHome({ language }: { readonly language: Language }) {
  return { to: home, notice: texts[language].categories.gone } as const;
}
