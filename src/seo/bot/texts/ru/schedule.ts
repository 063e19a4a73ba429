import { counted } from "../../../../kernel/words/index.ts";
import { type Days, type Times, type Weekday, weekdays } from "../../../schedules/times.ts";

const days: Readonly<Record<Weekday, string>> = {
  ...{ mon: "Пн", tue: "Вт", wed: "Ср", thu: "Чт", fri: "Пт", sat: "Сб", sun: "Вс" },
};
const number = new Intl.NumberFormat("ru");
const relative = new Intl.RelativeTimeFormat("ru", { numeric: "auto" });

export const schedule = {
  title: "настройка расписания",
  days,
  plan: (plan: { readonly days: Days; readonly times: Times }) =>
    `${plan.days.length === weekdays.length ? "Каждый день" : plan.days.map((day) => days[day]).join(", ")} в ${plan.times.join(", ")}`,
  saved: (plan: string, tokens: number) => `Расписание: ${plan}. ~${number.format(tokens)} токенов/нед`,
  kept: "Расписание сохранено.",
  off: (plan: string) => `Расписание выключено (${plan}).`,
  none: "Расписания пока нет.",
  stopped: "Расписание остановлено после ошибок. Проверьте подключение и включите его снова.",
  failed: "Последняя публикация не удалась. Проверьте подключение.",
  failedHere:
    "Последняя публикация не удалась из-за ошибки на нашей стороне. Расписание работает, делать ничего не нужно.",
  week: {
    open: "План на 7 дней",
    title: (project: string) => `План на 7 дней — ${project}`,
    empty: "По расписанию ничего не запланировано. Включите расписание в планировщике.",
    when: (due: Date, timeZone: string) =>
      new Intl.DateTimeFormat("ru", {
        ...{ timeZone, weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" },
      }).format(due),
    line: (when: string, what: string, tokens: number, isCovered: boolean) =>
      `${isCovered ? "•" : "⚠️"} ${when} — ${what}, ~${tokens}`,
    more: (count: number) => `…и ещё ${count}`,
    sum: (tokens: number, balance: number) =>
      `Всего ~${number.format(tokens)} ток. Баланс: ${number.format(balance)}.`,
    free: (tokens: number) => `Всего ~${number.format(tokens)} ток. (GOD_MODE — бесплатно)`,
    short: "На отмеченные ⚠️ публикации баланса не хватит: расписание будет приостановлено.",
    topUp: "Пополнить баланс",
  },
  switchedOff: "Расписание отключено. Вернуть его можно в любой момент.",
  next: (when: string) => `Следующая публикация: ${when}`,
  when: (inDays: number, day: Weekday, time: string) =>
    `${inDays < 2 ? relative.format(inDays, "day") : days[day]} в ${time}`,
  zone: (zone: string) => `Часовой пояс проекта: ${zone}`,
  one: {
    title: (category: string, connection: string) => `Расписание — ${category} → ${connection}`,
    question: "Как часто публиковать?",
    weekly: "1 раз в неделю (Пн, 10:00)",
    thrice: "3 раза в неделю (Пн, Ср, Пт)",
    daily: "Каждый день в 10:00",
    manual: "Настроить вручную",
    off: "Отключить расписание",
    on: "Включить расписание",
    toPlatform: "К платформе",
  },
  cross: {
    label: (chosen: number) => (chosen === 0 ? "Кросс-постинг" : `Кросс-постинг: ${chosen}`),
    title: (category: string, connection: string) => `Кросс-постинг — ${category} → ${connection}`,
    question:
      "Куда ещё публиковать посты этого расписания? Каждый пост перепишу под выбранную сеть, ~10 токенов за каждую. Нажмите, чтобы включить или выключить.",
    none: "Других соцсетей в проекте нет. Подключите ещё одну, и посты можно будет публиковать и там.",
  },
  offer: {
    workdays: "Каждый будний день в 10:00",
    thrice: "Пн, Ср, Пт в 10:00",
    manual: "Настроить вручную",
    later: "Позже",
    laterSaid:
      "Хорошо, напомню позже. Расписание можно настроить в любой момент: «Планировщик» в карточке проекта.",
  },
  setup: {
    select_days: "Расписание (1/3) — Дни\n\nВ какие дни публиковать? Отметьте дни и нажмите «Готово».",
    noDays: "Выберите хотя бы один день",
    select_count: "Расписание (2/3) — Количество\n\nСколько публикаций в день?",
    select_times: (count: number) =>
      `Расписание (3/3) — Время\n\nВо сколько публиковать? Отметьте ${slots(count)} и нажмите «Готово».`,
    exactly: (count: number) => `Выберите ровно ${slots(count)}`,
    done: "Готово",
  },
  project: {
    title: (project: string) => `Планировщик — ${project}`,
    empty: "В проекте пока нет категорий. Создайте первую, и её можно будет публиковать по расписанию.",
    question: "Выберите категорию.",
    line: (category: string, schedules: number) =>
      `• ${category} — ${
        schedules === 0
          ? "без расписания"
          : counted(
              schedules,
              { one: "расписание", few: "расписания", many: "расписаний", other: "расписания" },
              "ru",
            )
      }`,
    newCategory: "Создать категорию",
  },
  category: {
    title: (category: string) => `Планировщик — ${category}`,
    today: (lines: string) => `План на сегодня:\n${lines}`,
    nothingToday: "Сегодня публикаций по расписанию больше нет.",
    noConnections: "Публиковать пока некуда. Подключите сайт или соцсеть.",
    question: "Выберите, для какого подключения настроить расписание.",
    toScheduler: "К планировщику",
    connect: "Подключить платформу",
  },
};

function slots(count: number): string {
  return counted(
    count,
    { one: "временной слот", few: "временных слота", many: "временных слотов", other: "временного слота" },
    "ru",
  );
}
