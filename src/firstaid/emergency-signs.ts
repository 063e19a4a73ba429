export const safetyLevels = ["low", "medium", "high"] as const;
export type SafetyLevel = (typeof safetyLevels)[number];

/** First aid depends on the kind; the first match is used. */
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
 * Signs that need a vet whatever the model says. A denial ("нет судорог") matches too: a needless visit costs less than a missed
 * emergency.
 */
const urgent: Readonly<Record<Emergency, RegExp>> = {
  breathing:
    /не (может )?дыш|задыха|подавил|поперхнул|(тяжело|с трудом) дыш|дыш\S{0,20} (тяжело|с трудом)|одышк|хрипит|синеет|син(ий|ие|юшн\S{0,20}) (язык|дёсны|десны)|бледные дёсны|бледные десны|(not|isn['’]?t|stopped|trouble|difficulty) breathing|(can['’]?t|cannot|not|doesn['’]?t|struggling to) breathe|chok(ed|ing)|gasping|(blue|pale) (gums|tongue)/i,
  unconscious:
    /без сознания|потерял[аи]? сознание|не приход\S{0,20} в себя|обморок|коллапс|умирает|при смерти|не реагирует|не шевелится|unconscious|collapsed|unresponsive|passed out|dying|not moving|won['’]?t wake/i,
  seizure:
    /судорог|конвульси|припад(ок|к)|пена (изо|из) (рта|пасти)|seizure|convuls|having a fit|foaming at the mouth/i,
  bleeding:
    /кровотеч|кровь не останавл|(ид[её]т|теч[её]т|пош\S{1,20}|хлещет|льётся|льется) кровь|кровь (ид[её]т|теч[её]т|пошла|хлещет|льётся|льется)|много крови|фонтан\S{0,20} кров|рвот\S{0,20} (с )?кров|кровав\S{0,20} (рвот|понос|стул)|кров\S{0,20} в (моче|рвоте|стуле|кале)|истека\S{0,20} кров|bleeding|blood in( \S+){0,2} (urine|pee|stool|poop|vomit)|(vomiting|coughing up|throwing up) blood/i,
  swallowed:
    /проглотил[аи]?( \S+){0,2} (батарейк|игл|иголк|кост|нитк|магнит|крюч)|swallowed( \S+){0,2} (battery|needle|bone|string|thread|magnet|hook|coin|sock)/i,
  poison:
    /отрав|крысин\S{0,20} яд|съел[аи]?( \S+){0,3} (крысин|таблет|яд|шоколад|антифриз|лекарств|изюм|виноград|ксилит|лили)|антифриз|poison|\b(ate|eaten|swallowed)( \S+){0,3} (chocolate|grape|raisin|xylitol|pill|tablet|medicine|lily|lilies|rat bait)|antifreeze/i,
  injury:
    /сбил[аи]? (машин|автомоб)|попал[аи]? под (машин|колёс|колес)|выпал[аи]? (из|с) (окна|балкон)|упал[аи]? с (балкон|высот|\S+ этаж)|торчит кость|кость торчит|выпал\S{0,20} глаз|глаз\S{0,20} выпал|hit by (a )?car|run over|fell (from|out of|off) (a |the )?(\S+ )?(window|balcony|floor|roof)|bone sticking out/i,
  heat: /тепловой удар|перегрел|ожог|удар\S{0,20} током|тонул|утонул|heat ?stroke|overheated|electrocut|drown/i,
  snake:
    /укус\S{0,20} (змея|змеи|гадюк)|ужалил\S{0,20} (гадюк|змея)|snake ?bite|bit(ten)? by a (snake|viper)|snake bit/i,
  birth:
    /не может родить|схватки (больше|дольше)|(щен|кот[её]н)\S{0,20} застрял|can['’]?t give birth|(puppy|kitten) is stuck/i,
  urine:
    /не может (по)?писать|не мочится|(кот|кош|соба|п[её]с|щен|кот[её]н)\S{0,20} .{0,40}не писа(ет|л)|нет мочи|закупорк|(can['’]?t|cannot|not able to|straining to) (pee|urinate)|not (peeing|urinating)/i,
  paralysis:
    /не (может )?(встать|вста[её]т|подняться|поднимается)|отказали (задние )?лапы|парализ|не чувствует лап|paraly[sz]|(can['’]?t|cannot) (stand|get up|walk|move)|dragging (his|her|its) (back|hind) legs/i,
  bloat:
    /сильн\S{0,20} боль|кричит от боли|вздут\S{0,20} живот|раздул\S{0,20} живот|заворот|bloated|swollen (belly|stomach|abdomen)|screaming in pain/i,
};

const watchful: readonly RegExp[] = [
  /рвот|рвёт|рвет|тошн|понос|диаре/i,
  /температур|горяч\S{0,20} нос|озноб|вял(ый|ая|ость)|не ест(?![а-яё])|отказ\S{0,20} от (еды|корма)|не пь[её]т/i,
  /хрома|опух|отёк|отек|нарыв|гной|(?<![а-яё])рана|порез|укус|(впился|наш(ел|ёл|л)\S{0,20}|снял\S{0,20}) клещ|глаз\S{0,20} (гноит|красн|слез)/i,
  /\b(vomit|diarrh|fever|limp|swell|swollen|wound|ticks?\b)/i,
];

export function emergencyIn(text: string): Emergency | undefined {
  return emergencyKinds.find((kind) => urgent[kind].test(text));
}

export function alarmIn(text: string): SafetyLevel {
  if (emergencyIn(text)) return "high";
  return watchful.some((sign) => sign.test(text)) ? "medium" : "low";
}
