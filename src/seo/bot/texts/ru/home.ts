import { counted } from "../../../../kernel/words/index.ts";

const number = new Intl.NumberFormat("ru");
const articles = (count: number) =>
  counted(count, { one: "статью", few: "статьи", many: "статей", other: "статьи" }, "ru");
const tokens = (count: number) =>
  counted(count, { one: "токен", few: "токена", many: "токенов", other: "токена" }, "ru");
interface Costs {
  readonly article: number;
  readonly post: number;
  readonly keyword: number;
  readonly description: number;
  readonly image: number;
  readonly crossPost: number;
}

export const home = {
  keyboard: {
    text: "Меню ниже 👇",
    menu: "Меню",
    article: "Написать статью",
    post: "Создать пост",
    admin: "АДМИНКА",
  },
  commands: { start: "Главное меню", cancel: "Отменить текущее действие", help: "Помощь" },
  dashboard: {
    welcome:
      "Это SEO Master. Подберу ключевые фразы, напишу статью с картинками, покажу превью и опубликую на вашем сайте или в соцсетях.",
    bonus: (tokens: string, count: number) =>
      `Вам начислено ${tokens.replace(/(\d)\s(?=\d)/g, "$1")} (~${counted(count, { one: "статья", few: "статьи", many: "статей", other: "статьи" }, "ru")} на сайт)`,
    balance: (tokens: string) => `Баланс: ${tokens}`,
    counts: (projects: number, schedules: number) => `Проектов: ${projects} | Расписаний: ${schedules}`,
    enough: (count: number) => `Хватит на: ~${articles(count)}`,
    forecast: (perWeek: number) => `По расписаниям уйдёт ~${number.format(perWeek)} токенов/нед`,
    runsOut: "По расписаниям токенов хватит меньше чем на 2 недели. Пополните баланс.",
    topUpFirst: "Чтобы генерировать тексты, пополните баланс.",
    next: "Что сделаем?",
    unfinished: (what: string) => `У вас есть незавершённая работа: ${what}.`,
    unfinishedWorks: { article: "статья на сайт", post: "пост в соцсети" },
    works: { article: "статья", post: "пост" },
    resume: "Продолжить",
    restart: "Начать заново",
    discard: "Отменить",
    noProjects: "У вас пока нет проектов. Создайте первый — это займёт 30 секунд.",
    debt: "Задолженность будет списана при следующем пополнении.",
    article: "Написать статью на сайт",
    post: "Опубликовать пост в соцсети",
    projects: "Мои проекты",
    profile: "Профиль",
    tokens: "Токены",
    settings: "Настройки",
    help: "Помощь",
    topUp: "Пополнить баланс",
  },
  settings: {
    text: "Настройки\n\nВыберите раздел:",
    notifications: "Уведомления",
    support: "Техподдержка",
    about: "О боте",
    back: "К настройкам",
  },
  support: {
    text: (contact: string) =>
      `Техподдержка\n\nНапишите нам: ${contact}. Расскажите, что вы делали и что увидели, лучше со снимком экрана.`,
    none: "Контакт поддержки пока не указан. Вернитесь в меню и попробуйте ещё раз позже.",
    write: "Написать в поддержку",
  },
  about: (version: string) =>
    `О боте\n\nSEO Master подбирает ключевые фразы, пишет статьи и посты с картинками и публикует их на вашем сайте и в соцсетях.\n\nВерсия ${version}`,
  help: {
    text: "Помощь\n\nС чем помочь? Выберите тему:",
    topics: {
      connect: "Первое подключение",
      project: "Создание проекта",
      categories: "Категории",
      publishing: "Публикация",
    },
    about: {
      connect: () =>
        "1. Создайте проект и откройте «Подключения».\n2. Сайт на WordPress: понадобятся адрес, логин и пароль приложения (в WordPress: «Пользователи», «Профиль», «Пароли приложений»).\n3. Telegram: создайте бота у @BotFather и сделайте его администратором канала.\n4. VK: нужен токен человека, который редактирует сообщество. Pinterest: войдите по ссылке и выберите доску.\n\nСообщения с паролями и ключами я сразу удаляю из чата.",
      project: () =>
        "Проект — это ваш бизнес: название, компания, чем она занимается и сайт. Четыре ответа, около 30 секунд.\n\nПотом в «Редактировать» можно добавить город, телефон, преимущества и другое: чем больше заполнено, тем точнее тексты.",
      categories: (costs: Costs) =>
        `Категория — тема контента, например «Кухонная мебель». В ней хранятся ключевые фразы, описание, цены, медиа и настройки текста.\n\nПодбор фраз: ${tokens(costs.keyword)} за фразу. Описание: ${tokens(costs.description)}. Свои фразы и прайс загружаются бесплатно.`,
      publishing: (costs: Costs) =>
        `Нажмите «Написать статью» или «Создать пост», проверьте превью и опубликуйте. Токены удерживаются при генерации и возвращаются, если вы отмените или что-то не получится.\n\nСтатья ~${costs.article} токенов (2000 слов и 4 изображения), пост ~${costs.post}, изображение ${costs.image}, кросс-пост ~${costs.crossPost}. Две перегенерации бесплатны.`,
    },
    doors: {
      connect: "К моим проектам",
      project: "Создать проект",
      categories: "К моим проектам",
      publishing: "Написать статью",
    },
    back: "К помощи",
  },
};
