import type { Said } from "../said.ts";

/**
 * Turns of phrase that betray a text nobody thought about. What is measured has its lift: the share of machine texts with it,
 * divided by the share of human ones. Strict lists without measures flag 40 % of human texts; «данный» and the long dash are
 * used more by people.
 */
export interface Marker {
  readonly id: string;
  /** Words by lemma; `|` between alternatives, `=` before an exact form, `~6` for up to six words of any kind. */
  readonly pattern: string;
  /** Machine texts against human texts, where it was measured. */
  readonly lift?: number;
  readonly source: "llmtrace" | "ainl" | "document";
  readonly instead: Said;
}

/** Where the figures are from. Said corpora were measured with the catalogue of humanizer-ru (MIT), read in November 2026. */
export const sources = {
  llmtrace:
    "humanizer-ru, eval/LLMTRACE-CALIBRATION.md: 5,559 human and 9,204 machine texts of LLMTrace (arXiv:2509.21269), seven genres",
  ainl: "humanizer-ru, eval/AINL-CALIBRATION.md: 8,769 human and 26,389 machine abstracts of AINL-Eval 2025",
  document: "the list of forbidden filler of SEO Master's prompt rules; not measured",
} as const;

const cut: Said = { ru: "уберите: смысл не изменится", en: "cut it: nothing is lost" };
const fact: Said = {
  ru: "замените фактом: числом, сроком, названием",
  en: "replace it with a fact: a number, a term, a name",
};
const verb: Said = { ru: "скажите прямым глаголом или тире", en: "use a plain verb or a dash" };
const plain: Said = { ru: "скажите проще", en: "say it plainly" };

export const markers: readonly Marker[] = [
  {
    id: "key-role",
    pattern: "играть важный|ключевой|решающий|главный|огромный|значительный роль",
    lift: 17,
    source: "llmtrace",
    instead: { ru: "скажите, что именно зависит и насколько", en: "say what depends on it, and how much" },
  },
  {
    id: "important-to-remember",
    pattern: "=важно помнить|понимать|отметить|учитывать|знать =что",
    lift: 33,
    source: "llmtrace",
    instead: cut,
  },
  { id: "important-step", pattern: "важный шаг", lift: 33, source: "llmtrace", instead: fact },
  {
    id: "not-just",
    pattern: "=не =просто ~5 =а",
    lift: 5.3,
    source: "llmtrace",
    instead: { ru: "оставьте вторую половину", en: "keep the second half" },
  },
  { id: "modern-world", pattern: "=в =современном =мире", lift: 5, source: "llmtrace", instead: cut },
  {
    id: "under-conditions",
    pattern: "=в =условиях современный|нынешний|растущий|высокий|постоянный",
    lift: 3.2,
    source: "llmtrace",
    instead: cut,
  },
  {
    id: "worth-noting",
    pattern: "стоить отметить|сказать|подчеркнуть =что",
    lift: 2.8,
    source: "llmtrace",
    instead: cut,
  },
  {
    id: "not-only-but",
    pattern: "=не =только ~8 =но =и",
    lift: 2.6,
    source: "llmtrace",
    instead: { ru: "перечислите через «и»", en: "list both with “and”" },
  },
  { id: "summing-up", pattern: "=подводя =итог|=итоги", lift: 2.5, source: "llmtrace", instead: cut },
  { id: "thus", pattern: "=таким =образом", lift: 2.5, source: "llmtrace", instead: cut },
  { id: "is", pattern: "являться", lift: 2.4, source: "llmtrace", instead: verb },
  {
    id: "complex-approach",
    pattern: "комплексный подход|решение",
    lift: 3,
    source: "ainl",
    instead: { ru: "назовите, что входит", en: "name what it includes" },
  },
  // People use it more than machines; the document forbids it all the same.
  {
    id: "given",
    pattern:
      "=данный|=данная|=данное|=данные|=данного|=данной|=данному|=данную|=данным|=данных товар|услуга|компания|вид|тип|способ|метод|материал|модель|случай|ситуация|вопрос|процедура|раздел|статья|продукт|процесс",
    lift: 0.8,
    source: "llmtrace",
    instead: { ru: "«этот» или ничего", en: "“this”, or nothing" },
  },
  { id: "carry-out", pattern: "осуществлять|осуществить|осуществляться", source: "document", instead: verb },
  {
    id: "wide-range",
    pattern: "широкий|богатый|огромный ассортимент|выбор|спектр",
    source: "document",
    instead: { ru: "скажите, сколько и чего", en: "say how many, and of what" },
  },
  {
    id: "individual-approach",
    pattern: "индивидуальный подход",
    source: "document",
    instead: { ru: "скажите, что вы делаете для клиента", en: "say what you do for the client" },
  },
  {
    id: "highly-qualified",
    pattern: "высококвалифицированный",
    source: "document",
    instead: { ru: "назовите опыт или диплом", en: "name the experience or the diploma" },
  },
  {
    id: "shortest-time",
    pattern: "=в =кратчайшие|=короткие =сроки",
    source: "document",
    instead: { ru: "назовите срок", en: "name the time" },
  },
  {
    id: "unique-experience",
    pattern: "уникальный опыт|возможность|предложение|дизайн",
    source: "document",
    instead: fact,
  },
  {
    id: "as-of-today",
    pattern: "=на =сегодняшний =день",
    source: "document",
    instead: { ru: "«сейчас» или ничего", en: "“now”, or nothing" },
  },
  { id: "within", pattern: "=в =рамках", source: "document", instead: plain },
  {
    id: "optimal-solution",
    pattern: "оптимальный|идеальный решение|вариант|выбор",
    source: "document",
    instead: { ru: "скажите, для кого и почему", en: "say for whom, and why" },
  },
  {
    id: "dynamically",
    pattern: "динамично|динамически развиваться|развивающийся",
    source: "document",
    instead: fact,
  },
  { id: "leading-positions", pattern: "занимать лидирующий позиция", source: "document", instead: fact },
  { id: "embodies", pattern: "воплощать =в =себе", source: "document", instead: plain },
  {
    id: "glad-to-offer",
    pattern: "=мы рад|=рады предложить|представить|приветствовать",
    source: "document",
    instead: cut,
  },
  { id: "no-analogues", pattern: "=не иметь аналог", source: "document", instead: fact },
  {
    id: "advanced-technologies",
    pattern: "передовой|инновационный|современный технология",
    source: "document",
    instead: { ru: "назовите технологию", en: "name the technology" },
  },
  { id: "innovative-approach", pattern: "инновационный подход|решение", source: "document", instead: fact },
  {
    id: "highest-quality",
    pattern: "высочайший|высокий|отменный качество",
    source: "document",
    instead: {
      ru: "назовите гарантию, материал, проверку",
      en: "name the guarantee, the material, the test",
    },
  },
];

/** Measured below one: no marker of a machine, kept to say why nothing asks for it. */
export const notMarkers = [
  { what: "—", lift: 0.94, source: "llmtrace" },
  { what: "–", lift: 0.89, source: "llmtrace" },
  { what: "от X до Y", lift: 0.73, source: "llmtrace" },
] as const;

/** Filler that was not measured weighs as much as a lift of two. */
const unmeasured = 1;
const heaviest = 4;
/** What people use more than machines is hardly worth a word. */
const lightest = 0.1;

/** The binary logarithm of the lift: a marker twice as telling weighs one more. */
export function weightOf({ lift }: Marker): number {
  if (lift === undefined) return unmeasured;
  return lift <= 1 ? lightest : Math.min(heaviest, Math.log2(lift));
}
