export const safetyLevels = ["low", "medium", "high"] as const;
export type SafetyLevel = (typeof safetyLevels)[number];

/** What is done in the first minutes depends on which of these it is; the first that fits decides. */
export const emergencyKinds = [
  "breathing",
  "unconscious",
  "seizure",
  "bleeding",
  "swallowed",
  "poison",
  "injury",
  "heat",
  "snake",
  "birth",
  "urine",
  "paralysis",
  "bloat",
] as const;
export type Emergency = (typeof emergencyKinds)[number];

/**
 * Signs that need a vet whatever a model thinks of them. A word within a denial ("нет судорог") still counts: raising the level
 * once too often costs a visit, missing it costs more.
 */
const urgent: Readonly<Record<Emergency, RegExp>> = {
  breathing:
    /не (может )?дыш|задыха|подавил|поперхнул|(тяжело|с трудом) дыш|дыш\S* (тяжело|с трудом)|одышк|хрипит|синеет|син(ий|ие|юшн\S*) (язык|дёсны|десны)|бледные дёсны|бледные десны|not breathing|can'?t breathe|chok(ed|ing)/i,
  unconscious:
    /без сознания|потерял[аи]? сознание|не приход\S* в себя|обморок|коллапс|unconscious|collapsed|unresponsive|passed out/i,
  seizure: /судорог|конвульси|припад(ок|к)|пена (изо|из) (рта|пасти)|seizure|convuls/i,
  bleeding:
    /кровотеч|кровь не останавл|(ид[её]т|теч[её]т|пош\S+|хлещет|льётся|льется) кровь|кровь (ид[её]т|теч[её]т|пошла|хлещет|льётся|льется)|много крови|фонтан\S* кров|рвот\S* (с )?кров|кровав\S* (рвот|понос|стул)|кров\S* в (моче|рвоте|стуле|кале)|bleeding/i,
  swallowed:
    /проглотил[аи]?( \S+){0,2} (батарейк|игл|иголк|кост|нитк|магнит|крюч)|swallowed a (battery|needle|bone)/i,
  poison:
    /отрав|крысин\S* яд|съел[аи]?( \S+){0,3} (крысин|таблет|яд|шоколад|антифриз|лекарств|изюм|виноград|ксилит|лили)|антифриз|poison/i,
  injury:
    /сбил[аи]? (машин|автомоб)|попал[аи]? под (машин|колёс|колес)|выпал[аи]? (из|с) (окна|балкон)|упал[аи]? с (балкон|высот|\S+ этаж)|торчит кость|кость торчит|выпал\S* глаз|глаз\S* выпал|hit by a car|fell (from|out of) (a |the )?(window|balcony)/i,
  heat: /тепловой удар|перегрел|ожог|удар\S* током|тонул|утонул|heat ?stroke|electrocut|drown/i,
  snake: /укус\S* (змея|змеи|гадюк)|ужалил\S* (гадюк|змея)|snake ?bite|bitten by a snake/i,
  birth: /не может родить|схватки (больше|дольше)|(щен|кот[её]н)\S* застрял/i,
  urine:
    /не может (по)?писать|не мочится|(кот|кош|соба|п[её]с|щен|кот[её]н)\S* .{0,40}не писа(ет|л)|нет мочи|закупорк|can'?t (pee|urinate)/i,
  paralysis:
    /не (может )?(встать|вста[её]т|подняться|поднимается)|отказали (задние )?лапы|парализ|не чувствует лап|paraly[sz]/i,
  bloat: /сильн\S* боль|кричит от боли|вздут\S* живот|раздул\S* живот|заворот|bloated/i,
};

const watchful: readonly RegExp[] = [
  /рвот|рвёт|рвет|тошн|понос|диаре/i,
  /температур|горяч\S* нос|озноб|вял(ый|ая|ость)|не ест(?![а-яё])|отказ\S* от (еды|корма)|не пь[её]т/i,
  /хрома|опух|отёк|отек|нарыв|гной|(?<![а-яё])рана|порез|укус|(впился|наш(ел|ёл|л)\S*|снял\S*) клещ|глаз\S* (гноит|красн|слез)/i,
  /\b(vomit|diarrh|fever|limp|swell|swollen|wound|ticks?\b)/i,
];

export function emergencyIn(text: string): Emergency | undefined {
  return emergencyKinds.find((kind) => urgent[kind].test(text));
}

/** How alarming the words are by themselves. */
export function alarmIn(text: string): SafetyLevel {
  if (emergencyIn(text)) return "high";
  return watchful.some((sign) => sign.test(text)) ? "medium" : "low";
}
