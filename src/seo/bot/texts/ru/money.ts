import { counted } from "../../../../kernel/words/index.ts";

const number = new Intl.NumberFormat("ru");
const day = new Intl.DateTimeFormat("ru", {
  day: "numeric",
  month: "long",
  year: "numeric",
  timeZone: "Europe/Moscow",
});
const moment = new Intl.DateTimeFormat("ru", {
  ...{ day: "2-digit", month: "2-digit", hour: "2-digit", minute: "2-digit", timeZone: "Europe/Moscow" },
});
const tokens = (count: number) =>
  counted(count, { one: "токен", few: "токена", many: "токенов", other: "токена" }, "ru");
const articles = (count: number) =>
  counted(count, { one: "статью", few: "статьи", many: "статей", other: "статьи" }, "ru");

/** Known kinds of movements; others are called by their own name. */
const operations: Readonly<Record<string, string>> = {
  text_generation: "Текст",
  image_generation: "Изображения",
  keyword_generation: "Ключевые фразы",
  audit: "Аудит сайта",
  review: "Отзывы",
  description: "Описание",
  cross_post: "Кросс-пост",
  competitor_analysis: "Анализ конкурентов",
  purchase: "Покупка",
  refund: "Возврат",
  referral_bonus: "Реферальный бонус",
  welcome_bonus: "Приветственный бонус",
  adjustment: "Корректировка",
};

export const money = {
  rub: (amount: number) => `${number.format(amount)} ₽`,
  stars: (amount: number) => `${number.format(amount)} ⭐`,
  day: (date: Date) => day.format(date),
  profile: {
    title: (name: string) => `Профиль: ${name}`,
    balance: (count: number) => `Баланс: ${tokens(count)}`,
    enough: (count: number) => `Хватит на: ~${articles(count)}`,
    counts: (projects: number, categories: number) => `Проектов: ${projects} | Категорий: ${categories}`,
    published: (publications: number, schedules: number) =>
      `Публикаций: ${publications} | Расписаний: ${schedules}`,
    forecast: (perWeek: number, perMonth: number) =>
      `Прогноз: ~${number.format(perWeek)} токенов/нед, ~${number.format(perMonth)} токенов/мес`,
    noForecast: "Прогноз: активных расписаний нет, токены сами не тратятся.",
    runsOut: "По текущим расписаниям токенов хватит меньше чем на 2 недели. Пополните баланс.",
    debt: (balance: number) =>
      `Ваш баланс отрицателен (${tokens(balance)}) из-за возврата средств. Пополните баланс для продолжения работы.`,
    next: "Что сделаем?",
    topUp: "Пополнить баланс",
    history: "История расходов",
    referral: "Реферальная программа",
    notifications: "Уведомления: настроить",
  },
  history: {
    title: "История расходов",
    kinds: { all: "Все", spent: "Списания", bought: "Покупки", returned: "Возвраты" },
    week: (spent: number) => `За 7 дней потрачено: ${tokens(spent)}`,
    line: (at: Date, amount: number, type: string) =>
      `${moment.format(at)}  ${amount > 0 ? "+" : "−"}${number.format(Math.abs(amount))}  ${operations[type] ?? type}`,
    empty: "Здесь пока пусто.",
    next: "Показаны последние 20 операций. Выберите, какие показать.",
  },
  referral: {
    title: "Реферальная программа",
    rule: (percent: number) =>
      `Пригласите коллегу: с каждой его оплаты вам приходит ${number.format(percent)} % токенами.`,
    link: (url: string) => `Ваша ссылка: ${url}`,
    invited: (count: number) => `Приглашено: ${number.format(count)}`,
    earned: (count: number) => `Заработано: ${tokens(count)}`,
    next: "Отправьте ссылку в чат или скопируйте её.",
    share: "Поделиться",
    shareText: "SEO Master пишет статьи и посты и сам их публикует",
    copy: "Скопировать ссылку",
    looking: "Готовлю ссылку…",
    flow: "реферальная ссылка",
    failed: "Telegram не отвечает, ссылку показать не получилось. Попробуйте ещё раз через минуту.",
  },
  notifications: {
    text: "Уведомления\n\nНажмите, чтобы включить или выключить. О платежах и возвратах сообщаю всегда.",
    publications: (on: boolean) => `Публикации: ${on ? "ВКЛ" : "ВЫКЛ"}`,
    balance: (on: boolean) => `Баланс: ${on ? "ВКЛ" : "ВЫКЛ"}`,
    news: (on: boolean) => `Новости: ${on ? "ВКЛ" : "ВЫКЛ"}`,
    toSettings: "К настройкам",
  },
  tariffs: {
    title: "Токены",
    packages: "Пакеты:",
    line: (name: string, count: number, rub: string, stars: string) =>
      `${name}: ${tokens(count)}, ${rub} или ${stars}`,
    prices: "Что сколько стоит:",
    priceLines: (price: {
      article: number;
      post: number;
      keyword: number;
      description: number;
      audit: number;
      competitors: number;
    }) => [
      `Статья ~${price.article}, пост ~${price.post}`,
      `Ключевая фраза ${price.keyword}, описание ${price.description}`,
      `Аудит сайта ${price.audit}, анализ конкурентов ${price.competitors}`,
    ],
    subscriptions: (names: string) =>
      `Подписки: ${names}. Токены приходят каждые 30 дней, отменить можно в любой момент.`,
    next: "Выберите пакет:",
    button: (name: string, rub: string) => `${name}: ${rub}`,
    mine: "Моя подписка",
    back: "К тарифам",
    none: "Сейчас ничего не продаётся. Загляните позже.",
  },
  offer: {
    title: (name: string, count: number) => `${name}: ${tokens(count)}`,
    bonus: (base: number, gift: number) => `${number.format(base)} + ${number.format(gift)} в подарок`,
    price: (rub: string, stars: string) => `Цена: ${rub} или ${stars}`,
    enough: (count: number) => `Хватит на ~${articles(count)}`,
    recurring: (days: number) =>
      `Подписка: токены приходят сразу и затем каждые ${counted(days, { one: "день", few: "дня", many: "дней", other: "дня" }, "ru")}. Отменить можно в любой момент.`,
    once: "Разовая покупка: без автопродления.",
    cheaper: "Экономия ~5 000 руб. при оплате картой",
    next: "Как оплатите?",
    stars: "Оплатить Stars ⭐",
    card: "Оплатить картой (ЮKassa)",
    justOnce: "Купить один раз",
    back: "Назад",
    description: (count: number) => `${tokens(count)} для SEO Master`,
    invoiced: "Счёт выше. После оплаты токены придут сразу.",
    refused: {
      not_sold: "Этот пакет больше не продаётся. Выберите другой.",
      too_many_purchases: "Слишком частые покупки. Подождите",
      provider_unheard: "Платёжный сервис не отвечает. Ничего не списано, попробуйте ещё раз через минуту.",
      provider_refused: "Платёжный сервис отказал. Ничего не списано, попробуйте другой способ оплаты.",
      recurring_not_allowed:
        "Автопродление картой сейчас недоступно. Купите пакет один раз или оплатите Stars.",
      already_subscribed: "Подписка уже действует. Сменить её можно в «Моя подписка».",
      price_changed: "Цена изменилась. Откройте пакет заново.",
      sale_unknown: "Этот счёт больше не действует. Откройте пакет заново.",
      user_differs: "Этот счёт выставлен другому человеку. Откройте пакет заново.",
      amount_differs: "Сумма не совпадает со счётом. Откройте пакет заново.",
      already_paid: "Этот счёт уже оплачен, токены вот-вот придут.",
    },
  },
  payment: {
    title: "оплата",
    ordering: "Выставляю счёт…",
    contact:
      "Куда прислать чек? Напишите e-mail или телефон.\n\nЧек обязателен по закону (54-ФЗ), спрошу один раз.",
    notContact: "Это не похоже на e-mail или телефон. Например: anna@example.ru или +7 900 123-45-67",
    pay: (what: string, price: string) => `${what}\nК оплате: ${price}`,
    payHow: "Нажмите кнопку, оплатите и возвращайтесь: токены придут сами.",
    button: (price: string) => `Оплатить ${price}`,
    expired: "Ссылка на оплату устарела. Откройте тарифы, чтобы начать заново.",
    failed: "Счёт выставить не получилось. Ничего не списано, попробуйте ещё раз.",
  },
  subscription: {
    title: "Моя подписка",
    none: "Подписки нет. Выберите Pro, Business или Enterprise: токены будут приходить каждые 30 дней.",
    plan: (name: string, count: number) => `${name}: ${tokens(count)} каждые 30 дней`,
    states: {
      active: "Статус: действует",
      paused: "Статус: приостановлена, последнее списание не прошло",
      cancelled: "Статус: отменена, больше не продлевается",
      expired: "Статус: закончилась",
    },
    nextCharge: (date: string, price: string) => `Следующее списание: ${date}, ${price}`,
    until: (date: string) => `Оплачена до ${date}`,
    cancel: "Отменить подписку",
    resume: "Возобновить подписку",
    change: "Изменить тариф",
    choose: "Выбрать подписку",
    sure: (name: string, count: number, date: string) =>
      `Отменить подписку ${name}?\n\nПосле ${date} токены (${number.format(count)} каждые 30 дней) больше не придут. Уже начисленные токены и расписания останутся.`,
    yes: "Да, отменить",
    keep: "Оставить",
    changeTo:
      "На какой тариф перейти? Прежняя подписка перестанет продлеваться, начисленные токены останутся.",
    changeSure: (from: string, to: string, count: number, price: string) =>
      `Перейти с ${from} на ${to}?\n\n${from} больше не продлится. ${to}: ${tokens(count)} каждые 30 дней за ${price}. Новая подписка начнётся после оплаты.`,
    changeYes: "Да, перейти",
    changing: "Меняю подписку…",
    flow: "подписка",
    failed: "Платёжный сервис не ответил, подписка осталась прежней. Попробуйте ещё раз через минуту.",
  },
  sold: {
    paid: (count: number, balance: number) => `Зачислено ${tokens(count)}! Баланс: ${number.format(balance)}`,
    goOn: "Баланс пополнен! Продолжить?",
    yes: "Продолжить",
    no: "Нет",
    renewed: (name: string, date: string, count: number, balance: number) =>
      `Подписка ${name} продлена до ${date}. Зачислено ${tokens(count)}! Баланс: ${number.format(balance)}`,
    refused:
      "Платёж пришёл, но не совпал со счётом, поэтому токены не зачислены. Мы разберёмся и вернём деньги или зачислим токены.",
    failed: "Оплата не прошла, деньги не списаны. Попробуйте ещё раз или выберите другой способ.",
    refunded: (amount: string, count: number, balance: number) =>
      `Платёж возвращён: ${amount}. Списано ${tokens(count)}. Баланс: ${number.format(balance)}`,
    debt: (balance: number) =>
      `Ваш баланс отрицателен (${tokens(balance)}) из-за возврата средств. Пополните баланс для продолжения работы.`,
    referral: (count: number, balance: number) =>
      `Приглашённый вами человек пополнил баланс: вам начислено ${tokens(count)}. Баланс: ${number.format(balance)}`,
    soon: (name: string, date: string, price: string) =>
      `${date} подписка ${name} продлится, спишется ${price}. Делать ничего не нужно.`,
    renewalFailed: (date: string) => `Автопродление не удалось. Подписка действует до ${date}.`,
    paused: (name: string) =>
      `Подписка ${name} приостановлена — недостаточно Stars для продления. Расписания продолжают работать на текущем балансе.`,
    cancelled: (name: string, date: string) =>
      `Подписка ${name} отменена: после ${date} она не продлится. Начисленные токены останутся.`,
    resumed: (name: string, date: string) => `Подписка ${name} возобновлена, следующее списание ${date}.`,
    ended: (name: string) => `Подписка ${name} закончилась. Токены на балансе останутся.`,
    again: "Попробовать снова",
    newMethod: "Обновить способ оплаты",
    payStars: "Оплатить Stars",
    topUpStars: "Пополнить Stars",
    manage: "Управление подпиской",
    toTariffs: "Тарифы",
    topUp: "Пополнить",
    support: "Техподдержка",
    toReferral: "Реферальная программа",
  },
};
