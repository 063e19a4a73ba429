import { wordParts } from "../language/index.ts";
import { compoundOf, fractionOf, monthOf, numeralOf, scaleOf, type Unit, unitOf } from "./units.ts";

/** A number, date, time or telephone that a text states. */
export type Quantity =
  | {
      readonly kind: "number";
      readonly text: string;
      readonly value: number;
      readonly unit?: Unit;
      /** What it is counted by: roubles per metre. */
      readonly per?: string;
      /** Words that follow a number without a unit: what is counted. */
      readonly counted: readonly string[];
      /** `от`, `не менее` say at least, `до`, `менее` at most. */
      readonly bound?: "least" | "most";
      readonly isRough: boolean;
    }
  | {
      readonly kind: "date";
      readonly text: string;
      readonly year?: number;
      readonly month?: number;
      readonly day?: number;
    }
  | { readonly kind: "time" | "phone" | "code"; readonly text: string; readonly value: string };

export type NumberQuantity = Extract<Quantity, { kind: "number" }>;

interface Token {
  readonly type: "number" | "word" | "sign" | "date" | "time" | "phone" | "code";
  /** In small letters, without ё. */
  readonly text: string;
  readonly value: number;
  readonly glued: boolean;
}

type Pattern = readonly [Token["type"], RegExp];

const patternsOfDigits: readonly Pattern[] = [
  ["phone", /(?:\+7|8)[ (-]{0,3}\d{3}[ )-]{0,3}\d{3}[ -]?\d{2}[ -]?\d{2}(?!\d)/y],
  ["date", /\d{1,2}\.\d{1,2}\.\d{4}(?!\d)/y],
  ["time", /\d{1,2}:\d{2}(?!\d)/y],
  ["code", /\d{1,2}\/\d{1,2}(?![\d/])|\d{1,9}(?:-\d{1,9}){2,5}(?!\d)/y],
  ["number", /\d{1,3}(?:[ \u00A0\u202F]\d{3}){1,4}(?!\d)(?:,\d{1,6})?|\d{1,15}(?:[.,]\d{1,6})?/y],
];
const patternsOfOthers: readonly Pattern[] = [
  ["word", /м[²³23](?!\p{L})|км²|\p{L}{1,60}\d{0,4}/uy],
  ["sign", /[%₽$€/×–—-]|°[CС]?/y],
];

/** All quantities of a text, with their units and bounds. */
export function quantitiesIn(text: string): Quantity[] {
  const tokens = tokensOf(text);
  const found: Quantity[] = [];
  for (let at = 0; at < tokens.length; ) {
    const read = readAt(tokens, at);
    if (read?.quantity) found.push(read.quantity);
    at = Math.max(at + 1, read?.next ?? 0);
  }
  return found;
}

function tokensOf(source: string): Token[] {
  const text = source.toLowerCase().replaceAll("ё", "е");
  const tokens: Token[] = [];
  let end = -1;
  for (let at = 0; at < text.length; ) {
    const [type, found] = tokenAt(text, at);
    if (type === undefined) {
      at += 1;
      continue;
    }
    const digits = found.replace(/[ \u00A0\u202F]/g, "").replace(",", ".");
    tokens.push({
      type,
      text: found,
      value: type === "number" ? Number(digits) : Number.NaN,
      glued: end === at,
    });
    at += found.length;
    end = at;
  }
  return tokens;
}

function tokenAt(text: string, at: number): readonly [Token["type"], string] | readonly [undefined, ""] {
  const first = text.charCodeAt(at);
  if (first === space) return [undefined, ""];
  const isDigit = (first >= zero && first <= nine) || first === plus;
  for (const [type, pattern] of isDigit ? patternsOfDigits : patternsOfOthers) {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) return [type, found];
  }
  return [undefined, ""];
}

const [space, plus, zero, nine] = [0x20, 0x2b, 0x30, 0x39];

interface Read {
  readonly quantity?: Quantity;
  readonly next: number;
}

function readAt(tokens: readonly Token[], at: number): Read | undefined {
  const token = tokens[at];
  if (!token) return undefined;
  if (token.type === "phone")
    return {
      quantity: { kind: "phone", text: token.text, value: token.text.replace(/\D/g, "").slice(-10) },
      next: at + 1,
    };
  if (token.type === "time" || token.type === "code")
    return { quantity: { kind: token.type, text: token.text, value: token.text }, next: at + 1 };
  if (token.type === "date") return { quantity: numericDate(token.text), next: at + 1 };
  if (token.type === "number") return dateAt(tokens, at) ?? numberAt(tokens, at, token.value);
  if (token.type !== "word") return undefined;
  const month = monthOf(token.text);
  if (month !== undefined) return monthAt(tokens, at, month);
  const fraction = fractionAt(tokens, at);
  if (fraction) return fraction;
  const whole = compoundOf(token.text);
  if (whole)
    return {
      quantity: { kind: "number", text: token.text, ...whole, counted: [], ...boundsAt(tokens, at) },
      next: at + 1,
    };
  const every = everyAt(tokens, at);
  if (every) return every;
  const numeral = numeralOf(token.text);
  return numeral === undefined ? undefined : numeralAt(tokens, at, numeral);
}

/** Before these a half is one of two parts, not a share: `первая половина дня`, `вторая четверть`, `обе половины`. */
const partWord =
  /^(?:перв|втор|трет|четверт|последн|друг|обе|обои|кажд|лучш|прекрасн|сильн|верхн|нижн|лев|прав|передн|задн|тепл|холодн)/;
/** Half of these is a saying. */
const saying = /^(?:дела|дел|пути|дороги|успеха|победы|беды|битвы)$/;

/** `половина клиентов` is 50 %, `четверть часа` a quarter of an hour; `вторая половина дня` and `половина дела` say no number. */
function fractionAt(tokens: readonly Token[], at: number): Read | undefined {
  const fraction = fractionOf(tokens[at]?.text ?? "");
  if (!fraction) return undefined;
  const common = { kind: "number", counted: [], ...boundsAt(tokens, at) } as const;
  const { measures } = fraction.unit;
  const [before, next] = [tokens[at - 1]?.text ?? "", tokens[at + 1]?.text ?? ""];
  const text = tokens[at]?.text ?? "";
  if (measures === "percent") {
    if (partWord.test(before) || saying.test(next)) return { next: at + 1 };
    const unit = unitOf(next);
    if (unit && (unit.measures === "second" || unit.measures === "month"))
      return {
        quantity: { ...common, text: `${text} ${next}`, value: fraction.value / 100, unit },
        next: at + 2,
      };
  }
  return { quantity: { ...common, text, ...fraction }, next: at + 1 };
}

/** `двадцать пять` is one number. */
function numeralAt(tokens: readonly Token[], at: number, first: number): Read {
  const second = first >= 20 ? numeralOf(tokens[at + 1]?.text ?? "") : undefined;
  return second !== undefined && second < 10
    ? numberAt(tokens, at + 1, first + second, at)
    : numberAt(tokens, at, first);
}

const ordinals: ReadonlyMap<string, number> = new Map([
  ...([
    ["втор", 2],
    ["трет", 3],
    ["четверт", 4],
    ["пят", 5],
    ["шест", 6],
    ["седьм", 7],
    ["десят", 10],
  ] as const),
]);

/** `каждый третий`. */
function everyAt(tokens: readonly Token[], at: number): Read | undefined {
  if (!tokens[at]?.text.startsWith("кажд")) return undefined;
  const next = tokens[at + 1]?.text ?? "";
  const [, value] =
    [...ordinals].find(([stem]) => next.startsWith(stem) && next.length <= stem.length + 3) ?? [];
  if (value === undefined) return undefined;
  const unit = { measures: "every", factor: 1 };
  return {
    quantity: { kind: "number", text: `каждый ${next}`, value, unit, counted: [], isRough: false },
    next: at + 2,
  };
}

function numericDate(text: string): Quantity {
  const [day, month, year] = text.split(".").map(Number);
  return { kind: "date", text, ...(day && { day }), ...(month && { month }), ...(year && { year }) };
}

const isYear = (value: number): boolean => Number.isInteger(value) && value >= 1800 && value <= 2100;
const yearWord = /^(?:г|гг|год(?:а|у|ом|е|ы|ах|ов|ам)?)$/;
const beforeYear = /^(?:в|с|со|до|по|к|после|от|за|на)$/;

/** `12 марта 2024 года`, `2024 год`, `с 2019`, `1990-е`. */
function dateAt(tokens: readonly Token[], at: number): Read | undefined {
  const value = tokens[at]?.value ?? 0;
  const next = tokens[at + 1];
  const month = next?.type === "word" ? monthOf(next.text) : undefined;
  if (month !== undefined && Number.isInteger(value) && value >= 1 && value <= 31) {
    const rest = monthAt(tokens, at + 1, month);
    const date = rest.quantity?.kind === "date" ? rest.quantity : undefined;
    return {
      quantity: { kind: "date", ...date, text: `${value} ${date?.text ?? next?.text}`, day: value },
      next: rest.next,
    };
  }
  if (!isYear(value)) return undefined;
  if (next?.type === "word" && yearWord.test(next.text))
    return { quantity: { kind: "date", text: String(value), year: value }, next: at + 2 };
  // A range of years has the word at its end.
  const follows = tokens[at + 2];
  const isRange =
    (next?.type === "sign" || /^(?:и|по|до)$/.test(next?.text ?? "")) &&
    follows !== undefined &&
    isYear(follows.value);
  const isBare =
    next === undefined ||
    (next.type === "sign" && next.text !== "%" && next.text !== "₽") ||
    !isUnit(next.text);
  const said = beforeYear.test(tokens[at - 1]?.text ?? "") && value >= 1950 && value <= 2040 && isBare;
  return isRange || said
    ? { quantity: { kind: "date", text: String(value), year: value }, next: at + 1 }
    : undefined;
}

const isUnit = (word: string): boolean => unitOf(word) !== undefined || scaleOf(word) !== undefined;

function monthAt(tokens: readonly Token[], at: number, month: number): Read {
  const year = tokens[at + 1];
  const text = tokens[at]?.text ?? "";
  if (year?.type !== "number" || !isYear(year.value))
    return { quantity: { kind: "date", text, month }, next: at + 1 };
  const hasWord = yearWord.test(tokens[at + 2]?.text ?? "");
  return {
    quantity: { kind: "date", text: `${text} ${year.text}`, month, year: year.value },
    next: at + (hasWord ? 3 : 2),
  };
}

/** Endings of numbers: `5-й`, `20-ти`. */
const ending = /^(?:й|я|е|го|му|м|х|ми|ти|и|ю|ых|ой|ый|ое)$/;

function numberAt(tokens: readonly Token[], at: number, value: number, first = at): Read {
  const measure = measureAt(tokens, at + 1) ?? sharedMeasure(tokens, at + 1);
  const text = tokens
    .slice(first, measure?.next ?? at + 1)
    .map((token) => token.text)
    .join(" ");
  const next = measure?.isShared ? at + 1 : (measure?.next ?? at + 1);
  const counted = measure?.unit ? [] : countedAt(tokens, next);
  return {
    quantity: {
      kind: "number",
      text,
      value: value * (measure?.scale ?? 1),
      ...(measure?.unit && { unit: measure.unit }),
      ...(measure?.per !== undefined && { per: measure.per }),
      counted,
      ...boundsAt(tokens, first),
    },
    next,
  };
}

interface Measure {
  readonly scale: number;
  readonly unit?: Unit;
  readonly per?: string;
  readonly next: number;
  readonly isShared?: boolean;
}

/** The scale and the unit after a number. */
function measureAt(tokens: readonly Token[], from: number): Measure | undefined {
  let at = from;
  const suffix = tokens[at + 1];
  if (tokens[at]?.text === "-" && tokens[at]?.glued && suffix?.glued && suffix.type === "word")
    at += ending.test(suffix.text) ? 2 : 1;
  const scale = scaleOf(tokens[at]?.text ?? "");
  if (scale !== undefined) at += 1;
  const unit = unitAt(tokens, at);
  if (!unit) return scale === undefined ? undefined : { scale, next: at };
  const divider = tokens[unit.next]?.text;
  const per = divider === "/" || divider === "за" ? unitAt(tokens, unit.next + 1) : undefined;
  return {
    scale: scale ?? 1,
    unit: unit.unit,
    ...(per && { per: per.unit.measures }),
    next: per?.next ?? unit.next,
  };
}

function unitAt(
  tokens: readonly Token[],
  at: number,
): { readonly unit: Unit; readonly next: number } | undefined {
  const word = tokens[at]?.text ?? "";
  const next = tokens[at + 1]?.text ?? "";
  if (/^(?:кв|квадратн\p{L}{2,3})$/u.test(word)) {
    const side = unitOf(next);
    if (side?.measures === "metre")
      return { unit: { measures: "area", factor: side.factor ** 2 }, next: at + 2 };
  }
  if (/^(?:куб|кубическ\p{L}{2,3})$/u.test(word) && unitOf(next)?.measures === "metre")
    return { unit: { measures: "litre", factor: 1000 }, next: at + 2 };
  if (/^процентн/.test(word) && /^пункт/.test(next))
    return { unit: { measures: "point", factor: 1 }, next: at + 2 };
  if (word === "квт" && /^ч(?:ас\p{L}{0,3})?$/u.test(next))
    return { unit: { measures: "watt hour", factor: 1 }, next: at + 2 };
  const unit = unitOf(word);
  return unit && { unit, next: at + 1 };
}

const between = /^(?:[×–—-]|до|и|или|по|на|x|х)$/;

/** `5–7 дней`: the first number has the unit of the second. */
function sharedMeasure(tokens: readonly Token[], from: number): Measure | undefined {
  if (!between.test(tokens[from]?.text ?? "")) return undefined;
  const second = tokens[from + 1];
  const isNumber = second?.type === "number" || numeralOf(second?.text ?? "") !== undefined;
  if (!isNumber || (second && isYear(second.value) && yearWord.test(tokens[from + 2]?.text ?? "")))
    return undefined;
  const measure = measureAt(tokens, from + 2) ?? sharedMeasure(tokens, from + 2);
  return measure && { ...measure, isShared: true };
}

function countedAt(tokens: readonly Token[], from: number): string[] {
  const words: string[] = [];
  for (let at = from; at < tokens.length && words.length < 3; at++) {
    const token = tokens[at];
    if (token?.type === "sign" && token.glued) continue;
    if (token?.type !== "word" || beforeYear.test(token.text)) break;
    words.push(...wordParts(token.text));
  }
  return words;
}

const least = /^(?:от|более|больше|свыше|минимум|выше)$/;
const most = /^(?:до|менее|меньше|максимум|ниже)$/;
const rough = /^(?:около|примерно|почти|порядка|приблизительно|приблизительных)$/;

function boundsAt(tokens: readonly Token[], at: number): Pick<NumberQuantity, "bound" | "isRough"> {
  const before = [1, 2, 3].map((back) => tokens[at - back]?.text ?? "");
  const [one = "", two = "", three = ""] = before;
  const isRough = before.slice(0, 2).some((word) => rough.test(word));
  const word = one === "чем" ? two : one;
  const isNegated = (one === "чем" ? three : two) === "не";
  const bound = least.test(word) ? "least" : most.test(word) ? "most" : undefined;
  if (bound === undefined) return { isRough };
  const turned = bound === "least" ? "most" : "least";
  return { bound: isNegated ? turned : bound, isRough };
}
