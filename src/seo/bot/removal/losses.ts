/** What a deletion takes with it, as people read it before they confirm. */
import type { Language } from "../../../dialogs/index.ts";
import type { Consequences } from "../../projects/shape.ts";
import { texts } from "../texts/index.ts";

/** A line for everything that goes, and one for tokens that come back; what is nought is left out. */
export function lossText(
  { categories, phrases, connections, schedules, drafts, tokens_returned }: Consequences,
  language: Language,
): string {
  const { removal, common } = texts[language];
  const say = removal.losses;
  const parts = [
    ...(categories > 0 ? [say.categories(categories)] : []),
    ...(phrases > 0 ? [say.phrases(phrases)] : []),
    ...(connections > 0 ? [say.connections(connections)] : []),
    ...(schedules > 0 ? [say.schedules(schedules)] : []),
    ...(drafts > 0 ? [say.drafts(drafts)] : []),
  ];
  const lost = parts.length === 0 ? say.nothing : [say.title, ...parts.map((part) => `• ${part}`)].join("\n");
  return tokens_returned > 0 ? `${lost}\n\n${say.returned(common.tokens(tokens_returned))}` : lost;
}
