import type { SafetyLevel } from "./subject.ts";

/**
 * Signs that need a vet whatever a model thinks of them. A word within a denial ("нет судорог") still counts: raising the level
 * once too often costs a visit, missing it costs more.
 */
const urgent: readonly RegExp[] = [
  /судорог|конвульси|припад(ок|к)/i,
  /без сознания|потерял[аи]? сознание|не приход\S* в себя|обморок|коллапс/i,
  /не дышит|задыха|тяжело дыш|одышк|хрипит|синеет|син(ий|ие|юшн\S*) (язык|дёсны|десны)|бледные дёсны|бледные десны/i,
  /кровотеч|кровь не останавл|много крови|фонтан\S* кров|рвот\S* (с )?кров|кровав\S* (рвот|понос|стул)|кров\S* в (моче|рвоте|стуле|кале)/i,
  /отрав|крысин\S* яд|съел[аи]?( \S+){0,3} (крысин|таблет|яд|шоколад|антифриз|лекарств|изюм|виноград|ксилит|лили)|антифриз/i,
  /сбил[аи]? (машин|автомоб)|попал[аи]? под (машин|колёс|колес)|выпал[аи]? (из|с) (окна|балкон)|упал[аи]? с (балкон|высот|\S+ этаж)/i,
  /не (может )?(встать|вста[её]т|подняться|поднимается)|отказали (задние )?лапы|парализ|не чувствует лап/i,
  /не может (по)?писать|не мочится|(кот|кош|соба|п[её]с|щен|кот[её]н)\S* .{0,40}не писа(ет|л)|нет мочи|закупорк/i,
  /сильн\S* боль|кричит от боли|вздут\S* живот|раздул\S* живот|заворот/i,
  /тепловой удар|перегрел|ожог|удар\S* током|тонул|утонул/i,
  /не может родить|схватки (больше|дольше)|укус\S* (змеи|гадюк)|ужалил\S* (гадюк|змея)/i,
  /seizure|convuls|unconscious|not breathing|can'?t breathe|bleeding|poison|collapsed|hit by a car|heat ?stroke/i,
];

const watchful: readonly RegExp[] = [
  /рвот|рвёт|рвет|тошн|понос|диаре/i,
  /температур|горяч\S* нос|озноб|вял(ый|ая|ость)|не ест(?![а-яё])|отказ\S* от (еды|корма)|не пь[её]т/i,
  /хрома|опух|отёк|отек|нарыв|гной|(?<![а-яё])рана|порез|укус|(впился|наш[её]л\S*|снял\S*) клещ|глаз\S* (гноит|красн|слез)/i,
  /\b(vomit|diarrh|fever|limp|swell|swollen|wound|ticks?\b)/i,
];

export function alarmIn(text: string): SafetyLevel {
  if (urgent.some((sign) => sign.test(text))) return "high";
  return watchful.some((sign) => sign.test(text)) ? "medium" : "low";
}

const blindness: readonly RegExp[] = [
  /не (вижу|могу (видеть|увидеть|посмотреть|просматривать|анализировать|открыть)) (\S+ ){0,3}(фото|изображени|картин|снимк)/i,
  /(фото|изображени|картинк|снимок)\S* (\S+ ){0,3}(не (загрузил|прикреп|вид(но|на|ен)|доступ))/i,
  /(can(no|')?t|unable to) (see|view|analy[sz]e|process) (\S+ ){0,3}(image|photo|picture)/i,
];

export function mentionsPhoto(text: string): boolean {
  return /(?<![а-яё])(фото|снимок|снимк|фотк)|\b(photo|picture)/i.test(text);
}

export function deniesSight(answer: string): boolean {
  return blindness.some((phrase) => phrase.test(answer));
}
