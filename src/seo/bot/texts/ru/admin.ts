import { counted, lasting } from "../../../../kernel/words/index.ts";

const number = new Intl.NumberFormat("ru", { maximumFractionDigits: 0 });
const usd = new Intl.NumberFormat("ru", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const moment = new Intl.DateTimeFormat("ru", {
  ...{ day: "2-digit", month: "2-digit", hour: "2-digit", minute: "2-digit", timeZone: "Europe/Moscow" },
});
const people = (count: number) =>
  counted(count, { one: "человек", few: "человека", many: "человек", other: "человека" }, "ru");
const tokens = (count: number) =>
  counted(count, { one: "токен", few: "токена", many: "токенов", other: "токена" }, "ru");
const signed = (count: number) => `${count > 0 ? "+" : "−"}${tokens(Math.abs(count))}`;

export const admin = {
  back: "К админке",
  panel: {
    title: "Админка",
    users: (all: number, free: number, paid: number) =>
      `Пользователей: ${number.format(all)} (бесплатных ${number.format(free)}, платных ${number.format(paid)})`,
    projects: (count: number) => `Проектов: ${number.format(count)}`,
    revenue: (rub: number) => `Выручка за 30 дней: ${number.format(rub)} ₽`,
    publications: (count: number) => `Публикаций за 7 дней: ${number.format(count)}`,
    cost: (dollars: number, rub: number) =>
      `Затраты API за 30 дней: $${usd.format(dollars)} (${number.format(rub)} ₽)`,
    tariffs: "Тарифы (последняя покупка):",
    payments: "Последние платежи:",
    payment: (name: string, what: string, price: string, at: Date) =>
      `${moment.format(at)}  ${name}: ${what}, ${price}`,
    none: "пока нет",
    referrals: (invited: number, payments: number, bonus: number) =>
      `Рефералы: приглашено ${number.format(invited)}, оплат с бонусом ${number.format(payments)}, начислено ${tokens(bonus)}`,
    well: "Сервисы: работают.",
    troubled: "Сервисы: есть сбои, посмотрите «Мониторинг».",
    monitoring: "Мониторинг",
    broadcast: "Рассылка",
    user: "Просмотр пользователя",
    costs: "Затраты API",
    errors: "Логи ошибок",
  },
  monitoring: {
    title: "Мониторинг",
    runs: (running: number, queued: number, seconds: number) =>
      `Генерации: идут ${running}, ждут ${queued}${queued > 0 ? `, дольше всех ${lasting(seconds, "ru")}` : ""}`,
    failed: (count: number) => `Сбоев за час: ${count}`,
    updates: (count: number) => `Сообщений без ответа: ${count}`,
    broken: (connections: number, schedules: number) =>
      `С ошибкой: подключений ${connections}, расписаний ${schedules}`,
    services: "Подключённые сервисы:",
    on: "включён",
    off: "не настроен",
    cards: "Оплата картой (ЮKassa)",
    refresh: "Обновить",
  },
  costs: {
    title: (days: number) => `Затраты API за ${days} дней`,
    days: (days: number) => `${days} дней`,
    line: (provider: string, calls: number, dollars: number, rub: number) =>
      `${provider}: $${usd.format(dollars)} (${number.format(rub)} ₽), запросов ${number.format(calls)}`,
    total: (dollars: number, rub: number, rate: number) =>
      `Всего: $${usd.format(dollars)} (${number.format(rub)} ₽ по курсу ${usd.format(rate)})`,
    none: "Обращений не было.",
  },
  errors: {
    title: (hours: number) => `Ошибки за ${hours === 24 ? "24 часа" : "7 дней"}`,
    spans: { 24: "24 часа", 168: "7 дней" },
    line: (at: Date, userId: number, what: string, code: string, message: string) =>
      `${moment.format(at)}  ${what}, ${code}, id ${userId}${message === "" ? "" : `: ${message}`}`,
    none: "Ошибок не было.",
  },
  person: {
    flow: "поиск пользователя",
    ask: "Кого показать? Пришлите id или @username.",
    unknown: "Такого пользователя нет. Пришлите id или @username.",
    title: (name: string, username: string | null) => `${name}${username === null ? "" : ` (@${username})`}`,
    balance: (count: number) => `Баланс: ${tokens(count)}`,
    counts: (projects: number, publications: number) => `Проектов: ${projects} | Публикаций: ${publications}`,
    paid: (rub: number) => `Оплачено: ${number.format(rub)} ₽`,
    referred: (count: number) => `Приглашено: ${people(count)}`,
    since: (created: Date, last: Date) =>
      `В боте с ${moment.format(created)}, последний раз — ${moment.format(last)}`,
    adjust: "Изменить баланс",
    another: "Другой пользователь",
  },
  adjust: {
    flow: "изменение баланса",
    tokens: (name: string, balance: number) =>
      `${name}, баланс ${tokens(balance)}.\n\nСколько начислить? Чтобы списать, напишите число с минусом.`,
    notTokens: "Нужно целое число, например 500 или -200.",
    reason: "Почему? Причина останется в журнале.",
    notReason: "Опишите причину: от 3 до 200 символов.",
    confirm: (name: string, count: number, reason: string, balance: number) =>
      `${name}: ${signed(count)}\nПричина: ${reason}\nБаланс станет: ${number.format(balance + count).replace("-", "−")}\n\nВсё верно?`,
    yes: "Да, изменить",
    done: (count: number, balance: number) => `Готово: ${signed(count)}. Баланс: ${number.format(balance)}`,
    refused: "Столько списать нельзя: баланс ушёл бы в минус. Напишите другое число.",
  },
  broadcast: {
    flow: "рассылка",
    audience: "Рассылка\n\nКому отправить? Кто выключил новости, их не получит.",
    before: "Прошлые рассылки:",
    was: (at: Date, sent: number, all: number) => `${moment.format(at)}: отправлено ${sent} из ${all}`,
    audiences: {
      all: (count: number) => `Всем (${number.format(count)})`,
      active_7d: (count: number) => `Активным за 7 дней (${number.format(count)})`,
      active_30d: (count: number) => `Активным за 30 дней (${number.format(count)})`,
      paid: (count: number) => `Платившим (${number.format(count)})`,
    },
    names: {
      all: "всем",
      active_7d: "активным за 7 дней",
      active_30d: "активным за 30 дней",
      paid: "платившим",
    },
    nobody: "Там никого нет. Выберите другую аудиторию.",
    text: "Пришлите текст рассылки, до 4096 символов.",
    notText: "Нужен текст от 1 до 4096 символов.",
    confirm: (whom: string, count: number) =>
      `Так сообщение увидят люди (выше).\n\nКому: ${whom}. Получателей: ${number.format(count)}. Отправить?`,
    send: (count: number) => `Отправить (${number.format(count)})`,
    busy: "Другая рассылка ещё идёт. Дождитесь её или остановите.",
    sending: "Рассылка идёт…",
    progress: (done: number, all: number) => `Обработано ${number.format(done)} из ${number.format(all)}`,
    figures: ({ sent, blocked, failed }: { sent: number; blocked: number; failed: number }) =>
      `Отправлено: ${number.format(sent)}\nЗаблокировали бота: ${number.format(blocked)}\nНе удалось: ${number.format(failed)}`,
    stop: "Остановить",
    refresh: "Обновить",
    ended: "Рассылка закончена, итоги в админке.",
    done: "Рассылка закончена",
    stopped: "Рассылка остановлена",
    another: "Новая рассылка",
  },
};
