import type { Lemmas } from "../language/index.ts";
import { missingNames, namesIn } from "./names.ts";
import { type Quantity, quantitiesIn } from "./quantities.ts";

export const claimKinds = ["number", "date", "name", "attribution"] as const;
export type ClaimKind = (typeof claimKinds)[number];

/** What in a sentence can be checked. */
export interface Checkable {
  readonly kinds: readonly ClaimKind[];
  readonly quantities: readonly Quantity[];
  readonly names: readonly string[];
  /** It calls on research or statistics, which only a source can have. */
  readonly isResearch: boolean;
}

/** Research, polls, statistics and those who carry them out. */
const research =
  /исследовани|(?<!\p{L})опрос(?:а|ы|ов|ам|ах|у|е)?(?![\p{L}])|статистик|по результатам|учены[емх]|доказан|доказал|клинически|(?:эксперт|аналитик|врач|специалист|исследовател)\p{L}{1,3} (?:\p{L}{1,12} )?(?:считают|отмечают|утверждают|выяснили|установили|подсчитали|говорят|доказали|подтверждают)/u;
const attribution =
  /(?<!\p{L})(?:по данным|по информации|по оценк\p{L}{1,2}|по подсчетам|по мнению|по словам|согласно|как сообщ\p{L}{1,6})(?!\p{L})/u;

/** Counts of what the text itself lists: `5 советов`, `три шага`. */
const ownParts =
  /^(?:способ|шаг|совет|причин|вопрос|вариант|пункт|правил|ошиб|этап|част|раздел|глав|пример|критери|признак|миф|аргумент|секрет|лайфхак|тип|вид|групп|минут.{0,2}чтени)/;

/** Decides whether a sentence states something that can be checked; undefined if it does not. Names of the business are no claims. */
export function checkableIn(sentence: string, knownNames: string, lemmas: Lemmas): Checkable | undefined {
  if (/\?["»”)]*$/.test(sentence.trim())) return undefined;
  const text = sentence.toLowerCase().replaceAll("ё", "е");
  const quantities = quantitiesIn(sentence).filter((quantity) => !isOwnPart(quantity));
  const names = missingNames(namesIn(sentence), knownNames, lemmas);
  const isResearch = research.test(text);
  const kinds: ClaimKind[] = [
    ...(quantities.some(({ kind }) => kind !== "date") ? (["number"] as const) : []),
    ...(quantities.some(({ kind }) => kind === "date") ? (["date"] as const) : []),
    ...(names.length > 0 ? (["name"] as const) : []),
    ...(isResearch || attribution.test(text) ? (["attribution"] as const) : []),
  ];
  return kinds.length === 0 ? undefined : { kinds, quantities, names, isResearch };
}

function isOwnPart(quantity: Quantity): boolean {
  if (quantity.kind !== "number" || quantity.unit || quantity.value > 20) return false;
  // A numeral that counts nothing: «Во-вторых», «вот два».
  if (quantity.counted.length === 0 && !/\d/.test(quantity.text)) return true;
  return quantity.counted.some((word) => ownParts.test(word));
}
