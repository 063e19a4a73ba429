import type { Random } from "../random.ts";

/** The words that advertisements of flats are put together from. */
const parts = {
  opening: ["Сдаётся", "Предлагаем в аренду", "Свободна", "Сдам на длительный срок", "Открыт показ:"],
  rooms: [
    "студия",
    "однокомнатная квартира",
    "двухкомнатная квартира",
    "трёхкомнатная квартира",
    "евродвушка",
  ],
  place: [
    "у парка",
    "в тихом дворе",
    "рядом с метро",
    "на набережной",
    "в центре",
    "за университетом",
    "у вокзала",
  ],
  street: [
    "Садовая",
    "Лесная",
    "Речная",
    "Полевая",
    "Школьная",
    "Вишнёвая",
    "Северная",
    "Заводская",
    "Кленовая",
  ],
  state: [
    "Свежий ремонт, мебель новая.",
    "Ремонт прошлого года, вся техника на месте.",
    "Чистая и светлая, окна на юг.",
    "Без мебели, можно завезти свою.",
    "Высокие потолки, паркет, кладовая.",
  ],
  kitchen: [
    "Кухня с посудомойкой и духовым шкафом.",
    "Кухня-гостиная с большим столом.",
    "Кухня отдельная, девять метров.",
    "Встроенная кухня, варочная панель.",
  ],
  around: [
    "Во дворе школа и детский сад.",
    "До остановки три минуты пешком.",
    "Рядом рынок, аптека и бассейн.",
    "Подземная парковка, консьерж, видеонаблюдение.",
    "Тихий подъезд, соседи спокойные.",
  ],
  terms: [
    "Без животных, залог за месяц.",
    "Можно с кошкой, залог делим на две части.",
    "Семье из двух-трёх человек.",
    "Счётчики отдельно, интернет проведён.",
    "Договор на одиннадцать месяцев.",
  ],
  ending: [
    "Звоните с десяти до восьми.",
    "Пишите в личные сообщения.",
    "Показ сегодня вечером.",
    "Ключи у хозяина.",
  ],
} as const;

const order = ["opening", "rooms", "place", "state", "kitchen", "around", "terms", "ending"] as const;

/** An advertisement of its own. */
export function houseText(random: Random): string {
  const said = order.map((part) => random.pick<string>(parts[part]));
  const address = `Улица ${random.pick(parts.street)}, дом ${random.whole(1, 180)}.`;
  said.splice(3, 0, address, numbers(random), random.pick<string>(parts.around));
  return said.join(" ");
}

/** The same house, another flat: its floor and its price differ. */
export function twinText(text: string, random: Random): string {
  return text.replace(/Этаж .*? рублей\./u, numbers(random));
}

function numbers(random: Random): string {
  return `Этаж ${random.whole(1, 24)}, площадь ${random.whole(20, 110)} м², ${random.whole(20, 120) * 1000} рублей.`;
}
