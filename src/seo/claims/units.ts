/** A unit of measure: what it measures, how many base units it is, and how it is written in small letters without ё. */
export interface Unit {
  readonly measures: string;
  readonly factor: number;
}

const table: readonly (readonly [measures: string, factor: number, spelling: RegExp])[] = [
  ["percent", 1, /^(?:%|процент(?:а|ов|у|ам|ом|ами|ах|е|ы)?|процентн\p{L}{2,3})$/u],
  ["rub", 1, /^(?:₽|руб|р|рубл(?:ь|я|ей|ю|ям|ем|ями|ях|и|е)|rub)$/],
  ["rub", 0.01, /^(?:коп|копе(?:йка|йки|ек|йку|йками))$/],
  ["usd", 1, /^(?:\$|usd|доллар(?:а|ов|у|ам|ами|ы)?)$/],
  ["eur", 1, /^(?:€|eur|евро)$/],
  ["gram", 0.001, /^(?:мг|миллиграмм(?:а|ов|ы)?)$/],
  ["gram", 1, /^(?:г|гр|грамм(?:а|ов|ы)?)$/],
  ["gram", 1000, /^(?:кг|килограмм(?:а|ов|ы|ами)?)$/],
  ["gram", 100_000, /^(?:ц|центнер(?:а|ов|ы)?)$/],
  ["gram", 1_000_000, /^(?:т|тонн(?:а|ы|у|ам|ами)?)$/],
  ["metre", 0.001, /^(?:мм|миллиметр(?:а|ов|ы|ам|ами)?|миллиметров\p{L}{2,3})$/u],
  ["metre", 0.01, /^(?:см|сантиметр(?:а|ов|ы|ам|ами)?|сантиметров\p{L}{2,3})$/u],
  ["metre", 1, /^(?:м|метр(?:а|ов|ы|ам|ами|е)?|метров\p{L}{2,3})$/u],
  ["metre", 1000, /^(?:км|километр(?:а|ов|ы|ам|ами|е)?|километров\p{L}{2,3})$/u],
  ["inch", 1, /^(?:дюйм(?:а|ов|ы)?|дюймов\p{L}{2,3})$/u],
  ["area", 1, /^(?:м²|м2|квм|квадрат(?:а|ов|ы)?)$/],
  ["area", 100, /^(?:сот(?:ка|ки|ок|ку|ками))$/],
  ["area", 10_000, /^(?:га|гектар(?:а|ов|ы)?)$/],
  ["area", 1_000_000, /^(?:км²|км2|квкм)$/],
  ["litre", 0.001, /^(?:мл|миллилитр(?:а|ов|ы)?)$/],
  ["litre", 1, /^(?:л|литр(?:а|ов|ы|ам|ами)?|литров\p{L}{2,3})$/u],
  ["litre", 1000, /^(?:м³|м3|кубм|кубометр(?:а|ов|ы)?|куб(?:а|ов|ы))$/],
  ["second", 1, /^(?:с|сек|секунд(?:а|ы|у|ам|ами)?)$/],
  ["second", 60, /^(?:мин|минут(?:а|ы|у|ам|ами)?|минутн\p{L}{2,3})$/u],
  ["second", 3600, /^(?:ч|час(?:а|ов|ы|ам|ами)?|часов\p{L}{2,3})$/u],
  ["second", 86_400, /^(?:дн|день|дня|дней|дни|дням|днями|днях|сут|сутки|суток|суткам|дневн\p{L}{2,3})$/u],
  ["second", 604_800, /^(?:нед|недел(?:я|и|ь|ю|ям|ями)|недельн\p{L}{2,3})$/u],
  ["month", 1, /^(?:мес|месяц(?:а|ев|ы|ам|ами|е)?|месячн\p{L}{2,3})$/u],
  ["month", 12, /^(?:год(?:а|ы|у|ом|ам|ами|ах|е|ов)?|лет|летн\p{L}{2,3}|летие|летия|годовал\p{L}{2,3})$/u],
  ["month", 1200, /^(?:век(?:а|ов|е|ом)?)$/],
  ["watt", 1, /^(?:вт|ватт(?:а|ы)?)$/],
  ["watt", 1000, /^(?:квт|киловатт(?:а|ы)?)$/],
  ["watt hour", 1, /^(?:квтч)$/],
  ["degree", 1, /^(?:°|°c|°с|градус(?:а|ов|ы|ах|ами|ам)?)$/],
  ["decibel", 1, /^(?:дб|децибел(?:а|ов|ы)?)$/],
  ["kilocalorie", 1, /^(?:ккал|килокалори(?:я|и|й))$/],
  ["gigabyte", 0.001, /^(?:мб|мегабайт(?:а|ов)?)$/],
  ["gigabyte", 1, /^(?:гб|гигабайт(?:а|ов)?)$/],
  ["pressure", 1, /^(?:атм|атмосфер(?:а|ы)?|бар)$/],
  ["person", 1, /^(?:чел|человек(?:а|у|ам|ами)?|люд(?:и|ей|ям|ьми))$/],
  ["times", 1, /^(?:раз|раза|кратн\p{L}{2,3}|кратно)$/u],
  ["piece", 1, /^(?:шт|штук(?:а|и|у|ам)?)$/],
];

/** The unit that a word or sign names. */
export function unitOf(word: string): Unit | undefined {
  const found = table.find(([, , spelling]) => spelling.test(word));
  return found && { measures: found[0], factor: found[1] };
}

const scales: readonly (readonly [factor: number, spelling: RegExp])[] = [
  [1e3, /^(?:тыс|тысяч(?:а|и|у|ам|ами|ей|ах)?)$/],
  [1e6, /^(?:млн|миллион(?:а|ов|у|ам|ами|ы|е)?)$/],
  [1e9, /^(?:млрд|миллиард(?:а|ов|у|ам|ами|ы|е)?)$/],
  [1e12, /^(?:трлн|триллион(?:а|ов|ы)?)$/],
];

export function scaleOf(word: string): number | undefined {
  return scales.find(([, spelling]) => spelling.test(word))?.[0];
}

const numerals: readonly (readonly [number, string])[] = [
  [2, "два две двух двум двумя двое"],
  [3, "три трех трем тремя трое"],
  [4, "четыре четырех четырем четырьмя четверо"],
  [5, "пять пяти пятью"],
  [6, "шесть шести шестью"],
  [7, "семь семи семью"],
  [8, "восемь восьми восемью"],
  [9, "девять девяти девятью"],
  [10, "десять десяти десятью"],
  [11, "одиннадцать одиннадцати"],
  [12, "двенадцать двенадцати"],
  [13, "тринадцать тринадцати"],
  [14, "четырнадцать четырнадцати"],
  [15, "пятнадцать пятнадцати"],
  [16, "шестнадцать шестнадцати"],
  [17, "семнадцать семнадцати"],
  [18, "восемнадцать восемнадцати"],
  [19, "девятнадцать девятнадцати"],
  [20, "двадцать двадцати двадцатью"],
  [30, "тридцать тридцати тридцатью"],
  [40, "сорок сорока"],
  [50, "пятьдесят пятидесяти"],
  [60, "шестьдесят шестидесяти"],
  [70, "семьдесят семидесяти"],
  [80, "восемьдесят восьмидесяти"],
  [90, "девяносто девяноста"],
  [100, "сто ста"],
  [200, "двести двухсот"],
  [300, "триста трехсот"],
  [500, "пятьсот пятисот"],
  [1.5, "полтора полутора полторы"],
];
const numeralValues = new Map(
  numerals.flatMap(([value, forms]) => forms.split(" ").map((form) => [form, value])),
);

/** `пять` → 5. */
export function numeralOf(word: string): number | undefined {
  return numeralValues.get(word);
}

const prefixes: readonly (readonly [string, number])[] = [
  ...([
    ["двух", 2],
    ["трех", 3],
    ["четырех", 4],
    ["пяти", 5],
    ["шести", 6],
    ["семи", 7],
    ["восьми", 8],
  ] as const),
  ...([
    ["девяти", 9],
    ["десяти", 10],
    ["двадцати", 20],
    ["тридцати", 30],
    ["полутора", 1.5],
    ["пятидесяти", 50],
  ] as const),
];

/** `пятилетний` → 5 years. */
export function compoundOf(word: string): { readonly value: number; readonly unit: Unit } | undefined {
  for (const [prefix, value] of prefixes) {
    if (!word.startsWith(prefix)) continue;
    const unit = unitOf(word.slice(prefix.length));
    if (unit) return { value, unit };
  }
  return undefined;
}

const fractions: ReadonlyMap<string, { readonly value: number; readonly unit: Unit }> = new Map(
  (
    [
      [50, "percent", "половина половины половину половине половиной вполовину наполовину"],
      [100 / 3, "percent", "треть трети третью"],
      [25, "percent", "четверть четверти четвертью"],
      [2, "times", "вдвое двукратно двукратный"],
      [3, "times", "втрое трехкратно трехкратный"],
      [4, "times", "вчетверо"],
    ] as const
  ).flatMap(([value, measures, forms]) =>
    forms.split(" ").map((form) => [form, { value, unit: { measures, factor: 1 } }]),
  ),
);

/** `половина` → 50 %, `вдвое` → 2 times. */
export function fractionOf(word: string): { readonly value: number; readonly unit: Unit } | undefined {
  return fractions.get(word);
}

const months = [
  ...["январ", "феврал", "март", "апрел", undefined, "июн", "июл", "август", "сентябр", "октябр"],
  ...["ноябр", "декабр"],
];
const formsOfMay: ReadonlySet<string> = new Set(["мая", "мае", "май", "маю", "маем"]);
/** By the first three letters, in which no two months are alike. */
const monthsByStart = new Map(
  months.flatMap((stem, index) => (stem ? [[stem.slice(0, 3), { stem, number: index + 1 }] as const] : [])),
);
const longestEnding = 2;

/** 1–12; forms of `март`, but not `мартовский`. */
export function monthOf(word: string): number | undefined {
  const month = monthsByStart.get(word.slice(0, 3));
  if (!month) return formsOfMay.has(word) ? 5 : undefined;
  const { stem, number } = month;
  return word.startsWith(stem) && word.length <= stem.length + longestEnding ? number : undefined;
}
