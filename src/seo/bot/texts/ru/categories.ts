import { counted } from "../../../../kernel/words/index.ts";

const products = (count: number) =>
  counted(count, { one: "товар", few: "товара", many: "товаров", other: "товара" }, "ru");
const files = (count: number) =>
  counted(count, { one: "файл", few: "файла", many: "файлов", other: "файла" }, "ru");
const reviews = (count: number) =>
  counted(count, { one: "отзыв", few: "отзыва", many: "отзывов", other: "отзыва" }, "ru");
const clusters = (count: number) =>
  counted(count, { one: "кластер", few: "кластера", many: "кластеров", other: "кластера" }, "ru");
const phrases = (count: number) =>
  counted(count, { one: "фраза", few: "фразы", many: "фраз", other: "фразы" }, "ru");

export const categories = {
  gone: "Этой категории или проекта больше нет: возможно, вы удалили их с другого устройства.",
  fileGone: "Файл не удалось получить. Пришлите его ещё раз.",
  cost: {
    line: (tokens: string, balance: string, isFree: boolean) =>
      `Стоимость: ${tokens}${isFree ? " (GOD_MODE — бесплатно)" : ""}. Баланс: ${balance}.`,
    short: (needed: number, balance: number) => `Недостаточно токенов. Нужно ${needed}, у вас ${balance}.`,
  },
  regenerate: {
    free: (left: number) =>
      left > 0 ? `Перегенерировать (бесплатно, осталось ${left})` : "Перегенерировать (бесплатно)",
    paid: (tokens: number) => `Перегенерировать (${tokens} ток.)`,
  },
  list: {
    title: (project: string, count: number) => `Категории — ${project} (${count}):`,
    empty: "Категория = тема контента (напр. «Кухонная мебель»).",
    create: "Создать категорию",
  },
  create: {
    title: "новая категория",
    name: "Новая категория — Название\n\nКатегория = тема контента (напр. «Кухонная мебель»). Как её назвать?",
    done: (name: string) => `Категория «${name}» создана!`,
  },
  rename: {
    title: "новое название категории",
    ask: (name: string) => `Сейчас категория называется «${name}».\n\nПришлите новое название.`,
    done: (name: string) => `Теперь категория называется «${name}».`,
  },
  card: {
    phrases: (groups: number, count: number) =>
      `Ключевые фразы: ${count === 0 ? "нет" : `${clusters(groups)} (${phrases(count)})`}`,
    description: (has: boolean) => `Описание: ${has ? "есть" : "нет"}`,
    prices: (count: number) => `Цены: ${count === 0 ? "нет" : products(count)}`,
    media: (count: number) => `Медиа: ${count === 0 ? "нет" : files(count)}`,
    reviews: (count: number) => `Отзывы: ${count === 0 ? "нет" : reviews(count)}`,
    settings: (own: boolean) => `Настройки контента: ${own ? "свои" : "по умолчанию"}`,
    noSchedule: "Расписание: нет",
    schedule: (place: string, days: string, times: string) => `Расписание: ${place} — ${days} в ${times}`,
    forecast: (tokens: string) => `Прогноз: ~${tokens}/нед`,
    needsPhrases: "Начните с ключевых фраз: без них писать не о чем.",
    next: "Что делаем дальше?",
    article: "Написать статью",
    toKeywords: "Ключевые фразы",
    toDescription: "Описание",
    toPrices: "Цены",
    toMedia: "Медиа",
    toContent: "Настройки контента",
    toReviews: "Отзывы",
    toScheduler: "Планировщик",
    connect: "Подключить сайт или соцсеть",
    rename: "Переименовать",
    remove: "Удалить категорию",
  },
  remove: {
    question: (name: string) => `Удалить категорию «${name}»?`,
    stays: "Описание, цены, медиа и отзывы удалятся тоже. Уже опубликованное и история публикаций останутся.",
  },
  description: {
    flow: "описание категории",
    title: (name: string) => `Описание — ${name}`,
    empty: "Описания пока нет. По нему статьи и посты точнее рассказывают о вас.",
    confirm: "Написать описание категории? По нему статьи и посты точнее рассказывают о вас.",
    choice: "По описанию темы статьи и посты точнее рассказывают о вас. Сгенерировать его или напишете сами?",
    yes: "Да, сгенерировать",
    generate: (tokens: string) => `Сгенерировать AI (${tokens})`,
    manual: "Написать вручную",
    look: "Посмотреть готовый вариант",
    follow: "Пишется: посмотреть",
    writing: "Пишу описание…",
    review: "Вот что получилось. Сохранить?",
    saved: "Описание сохранено.",
    dropped: "Хорошо, описание не сохранено. Токены возвращены.",
    outdated: "Этого варианта больше нет. Закажите описание заново.",
    byHand: "Пришлите описание категории: от 10 до 2000 символов.",
    remove: "Удалить описание",
    askToRemove: (name: string) => `Удалить описание категории «${name}»? Вернуть его будет нельзя.`,
    removed: "Описание удалено.",
  },
  prices: {
    flow: "цены",
    title: (name: string) => `Цены — ${name}`,
    count: (count: number) => `В прайсе ${products(count)}.`,
    empty: "Цен пока нет. С ними в текстах будут настоящие цены, а не «по запросу».",
    add: "Добавить цены",
    method: "Как добавить цены?",
    byText: "Текстом",
    byFile: "Загрузить Excel",
    update: "Обновить текстом",
    download: "Скачать Excel",
    fileName: "Прайс",
    typed:
      "Пришлите цены, каждый товар с новой строки:\n\nНазвание — Цена\nНазвание — Цена — Описание\n\nНовый прайс заменит прежний. Большой список удобнее загрузить файлом Excel.",
    file: "Пришлите файл Excel (.xlsx): столбец A — название, B — цена, C — описание (можно без него). Не больше 1000 строк и 5 МБ. Новый прайс заменит прежний.",
    saved: (count: number) => `Прайс сохранён: ${products(count)}.`,
    remove: "Удалить прайс",
    askToRemove: (name: string, count: number) =>
      `Удалить прайс категории «${name}» (${products(count)})? Вернуть его будет нельзя.`,
    removed: "Прайс удалён.",
  },
  reviews: {
    flow: "отзывы",
    title: (name: string, count: number) => `Отзывы — ${name} (${count})`,
    empty: "Отзывов пока нет.",
    off: "Генерация отзывов сейчас выключена.",
    generate: "Сгенерировать отзывы",
    look: "Посмотреть готовые отзывы",
    follow: "Пишутся: посмотреть",
    quantity: "Сколько отзывов написать?",
    option: (count: number, tokens: string) => `${reviews(count)} — ${tokens}`,
    confirm: (count: number) => `Написать ${reviews(count)}?`,
    yes: "Да, сгенерировать",
    fewer: "Меньше отзывов",
    writing: "Пишу отзывы…",
    review: "Вот что получилось. Сохранить?",
    saved: "Отзывы сохранены.",
    dropped: "Хорошо, отзывы не сохранены. Токены возвращены.",
    outdated: "Этих отзывов больше нет. Закажите их заново.",
    pros: (text: string) => `Плюсы: ${text}`,
    cons: (text: string) => `Минусы: ${text}`,
    remove: "Удалить отзывы",
    askToRemove: (name: string, count: number) =>
      `Удалить отзывы категории «${name}» (${reviews(count)})? Вернуть их будет нельзя.`,
    removed: "Отзывы удалены.",
  },
  media: {
    flow: "загрузка медиа",
    title: (name: string, count: number, most: number) => `Медиа — ${name} (${count} из ${most})`,
    empty:
      "Файлов пока нет. Добавьте фото, видео или документы: картинки к статьям будут похожи на ваши. Это необязательно.",
    hint: "Нажмите на файл, чтобы посмотреть или удалить его.",
    full: "Больше файлов не поместится: чтобы добавить новый, удалите лишний.",
    add: "Добавить файлы",
    kinds: { photo: "Фото", video: "Видео", document: "Документ" },
    size: (megabytes: string) => `Размер: ${megabytes}`,
    send: "Прислать файл",
    toMedia: "К медиа",
    remove: "Удалить файл",
    askToRemove: (name: string) => `Удалить файл «${name}»? Вернуть его будет нельзя.`,
    ask: "Пришлите фото, видео или документы, можно несколько сразу. Каждый файл — до 20 МБ; подпись станет его описанием.",
    taken: (count: number) => `Получено: ${files(count)}. Пришлите ещё или нажмите «Сохранить».`,
    done: (count: number) => `Сохранить (${count})`,
    keeping: "Сохраняю файлы…",
    kept: (count: number) => `Сохранено: ${files(count)}.`,
    tooLarge: "Файл больше 20 МБ. Пришлите файл поменьше.",
    tooMany: (most: number) => `За один раз можно прислать не больше ${most} файлов. Сохраните эти.`,
    failed: "Сохранить не получилось. Нажмите «Сохранить» ещё раз.",
  },
};
