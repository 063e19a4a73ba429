import { counted } from "../../../../kernel/words/index.ts";

const phrases = (count: number) =>
  counted(count, { one: "фраза", few: "фразы", many: "фраз", other: "фразы" }, "ru");
const clusters = (count: number) =>
  counted(count, { one: "кластер", few: "кластера", many: "кластеров", other: "кластера" }, "ru");

export const keywords = {
  phrases,
  counts: (clusterCount: number, phraseCount: number) =>
    `${clusters(clusterCount)} (${phrases(phraseCount)})`,
  find: {
    title: "подбор фраз",
    headings: {
      saved: "Подбор фраз",
      products: "Подбор фраз (1/3) — Товары и услуги",
      geography: "Подбор фраз (2/3) — География",
      quantity: "Подбор фраз (3/3) — Количество",
      confirm: "Подбор фраз — Подтверждение",
    },
    saved: (products: string, geography: string) =>
      `В прошлый раз вы ответили так.\nТовары и услуги: ${products}\nГеография: ${geography}\n\nИспользовать эти ответы или пройти вопросы заново?`,
    useSaved: "Использовать сохранённые",
    anew: "Пройти заново",
    products: "Какие товары или услуги продвигаем? Перечислите через запятую, от 3 до 1000 символов.",
    productsFault: "Опишите товары/услуги подробнее",
    geography: "Где вы работаете? Выберите ниже или напишите город, область или страну.",
    geographyFault: "Укажите географию работы",
    quantity: (balance: string) => `Сколько фраз подобрать? Выберите ниже.\nБаланс: ${balance}`,
    option: (quantity: number, tokens: string) => `${phrases(quantity)} — ${tokens}`,
    order: (products: string, geography: string, quantity: number) =>
      `Товары и услуги: ${products}\nГеография: ${geography}\nКоличество: ${phrases(quantity)}`,
    cost: (tokens: string, balance: string) => `Стоимость: ${tokens}. Баланс: ${balance}`,
    free: "GOD_MODE — бесплатно",
    onlyFound: "Если фраз найдётся меньше, спишем только за найденные.",
    yes: "Да, генерировать",
    working: "Подбираю ключевые фразы",
    failed: "Не удалось подобрать фразы. Токены возвращены.",
    retry: "Нажмите «Да, генерировать», чтобы попробовать ещё раз, или «Назад», чтобы изменить ответы.",
    gone: "Этой категории больше нет. Начните с главного меню.",
  },
  places: { moscow: "Москва", petersburg: "СПб", russia: "Вся Россия", other: "Ввести свой" },
  /** What is saved for a button whose label is short. */
  placeNames: { moscow: "Москва", petersburg: "Санкт-Петербург", russia: "Вся Россия" },
  choice: {
    city: "В каком городе вы работаете? Сохраню в проекте: от города зависят фразы и тексты.",
    cityTyped: "Напишите город сообщением.",
    cityFault: "Напишите город: от 2 до 200 символов.",
    choose: (category: string, city: string) =>
      `Ключевые фразы для темы «${category}», география: ${city}. Как их добавим?`,
    auto: (quantity: number, tokens: string) => `Подобрать автоматически (${phrases(quantity)} — ${tokens})`,
    tune: "Настроить параметры",
    upload: "Загрузить свои",
    back: "Назад к чеклисту",
  },
  upload: {
    title: "загрузка фраз",
    heading: "Загрузка своих фраз",
    ask: "Пришлите TXT-файл (UTF-8), одна фраза на строку. Макс. 500 фраз, 1 МБ. Добавлю объёмы поиска и разложу по кластерам — бесплатно.",
    working: "Разбираю ваши фразы",
    added: (count: number) =>
      counted(
        count,
        {
          one: "новая фраза добавлена",
          few: "новые фразы добавлены",
          many: "новых фраз добавлено",
          other: "новой фразы добавлено",
        },
        "ru",
      ),
    failed: "Не получилось разобрать файл, фразы не изменились. Пришлите его ещё раз.",
    stopped: "Остановлено. Можно прислать другой файл.",
  },
  result: {
    done: (counts: string) => `Готово: ${counts}.`,
    fewer: (found: number, wanted: number) =>
      `Нашлось ${phrases(found)} из ${wanted}: списано только за найденные.`,
    volumes: (place: string) => `Объёмы поиска: ${place}, в месяц.`,
    google: (country: string) => `Google, ${country}`,
    yandex: (region: string) => `Яндекс, ${region}`,
    warning: (text: string) => `⚠️ ${text}`,
    list: "К ключевым фразам",
  },
  cluster: {
    google: (volume: string) => `Google ${volume}/мес`,
    yandex: (volume: string) => `Яндекс ${volume}/мес`,
    noVolume: "объём: нет данных",
    difficulty: (difficulty: number) => `сложность ${difficulty}`,
    easy: "★ легко",
  },
  screens: {
    empty: (category: string) =>
      `Ключевые фразы — ${category}\n\nФраз пока нет: без них не о чем писать. Начните подбор или загрузите свои фразы.`,
    begin: "Начать подбор",
    upload: "Загрузить свои фразы",
    title: (category: string) => `Ключевые фразы — ${category}`,
    best: (counts: string) => `${counts}. Лучшие по перспективности:`,
    look: "Посмотреть кластеры",
    csv: "Скачать все (CSV)",
    csvCaption: (category: string) => `Ключевые фразы категории «${category}»`,
    more: "Добавить ещё фразы",
    deleteCluster: "Удалить кластер",
    deleteAll: "Удалить все фразы",
    deleteAllAsked: (category: string, counts: string) =>
      `Удалить все фразы категории «${category}»?\n\nБудет удалено: ${counts}. Расписания без фраз будут пропускать публикации. Опубликованное останется.`,
    list: (category: string, counts: string) =>
      `${category}: ${counts}.\nВыберите кластер, чтобы увидеть его фразы.`,
    types: { article: "Для статей и постов", product_page: "Для страниц товаров и постов" },
    dropPhrases: "Удалить фразы",
    toCluster: "К кластеру",
    toClusters: "К кластерам",
    drop: (cluster: string) => `Кластер «${cluster}».\nНажмите на фразу, чтобы удалить её сразу.`,
    dropped: (phrase: string) => `Удалено: ${phrase}`,
    phraseGone: "Этой фразы уже нет.",
    whichCluster: "Какой кластер удалить?",
    deleteClusterAsked: (cluster: string, count: string) =>
      `Удалить кластер «${cluster}»?\n\nБудет удалено: ${count}. Опубликованное останется.`,
  },
};
