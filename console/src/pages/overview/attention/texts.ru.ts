import { numbersIn } from "../../../texts/index.ts";

const numbers = numbersIn("ru");
const deliveries = { one: "доставка", few: "доставки", other: "доставок" };
const posts = { one: "пост", few: "поста", other: "постов" };

export const ru = {
  title: "Требует внимания",
  calm: "Всё идёт как надо",
  calmHint: "С прошлого просмотра ничего не сломалось, каналы работают.",
  since: (time: string) => `с ${time}`,
  seen: "Всё просмотрено",
  seenDone: "Отмечено: дальше покажем только новое.",
  failed: (count: number, postCount: number) =>
    `Не дошло: ${numbers.count(count, deliveries)}, ${numbers.count(postCount, posts)}`,
  inChannels: (names: string, more: number) => (more > 0 ? `${names} и ещё ${numbers.format(more)}` : names),
  truncated: "Отказов больше, чем помещается здесь: показаны последние.",
  cause: {
    retry: "Площадка временно не отвечала. Отправьте ещё раз.",
    wait: "Площадка просит подождать. Подождите и отправьте ещё раз.",
    new_token: "Доступ больше не действует. Задайте новый и отправьте посты ещё раз.",
    test_channel: "Бот не может писать в канал. Проверьте права бота и отправьте посты ещё раз.",
    resume_channel: "Канал остановлен. Включите его, когда можно продолжать.",
    shorten: "Пост длиннее, чем принимает площадка. Сократите его.",
    look: "Причину может понять только человек. Посмотрите, что ответила площадка.",
  },
  again: "Отправить ещё раз",
  open: "Открыть",
  toChannel: "К каналу",
  resume: "Включить",
  resumed: (name: string) => `Канал «${name}» снова работает.`,
  state: { disabled: "отключён", paused: "на паузе", silent: "молчит" },
  until: "закончится",
  byRefusals: "после отказов площадки",
  byOperator: (name: string) => `остановил(а) ${name}`,
  source: (name: string) => `Источник «${name}»`,
  sourceState: { failing: "не читается", late: "не опрошен вовремя" },
  stuck: (count: number) => `Застряло при отправке: ${numbers.count(count, deliveries)}`,
  stuckHint: "Процесс мог остановиться на полпути. Верните их в очередь: дважды они не уйдут.",
  release: "Вернуть в очередь",
  held: (count: number) => `Ждёт вашего решения: ${numbers.count(count, deliveries)}`,
  heldHint: "Они придержаны: решите, отправлять их или нет.",
  released: (count: number) => `В очередь вернулось: ${numbers.count(count, deliveries)}.`,
  resent: (count: number) => `Снова в пути: ${numbers.count(count, deliveries)}.`,
  requeueLead: (count: number) => `Будет отправлено снова: ${numbers.count(count, deliveries)}.`,
  posts: "Последние посты",
  allPosts: "Все посты",
  noPosts: "Постов ещё не было.",
  delivered: (sent: number, all: number) => `доставлено ${numbers.format(sent)} из ${numbers.format(all)}`,
  noChannel: "ни один канал не взял",
  textless: "без текста",
  today: "Сегодня выйдет",
  todayNothing: "На сегодня больше ничего не запланировано.",
  todayCount: (count: number) =>
    numbers.count(count, { one: "публикация", few: "публикации", other: "публикаций" }),
  plan: "Весь план",
};
