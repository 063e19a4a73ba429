import { counted } from "../../../../kernel/words/index.ts";

const tokens = (count: number) =>
  counted(count, { one: "токен", few: "токена", many: "токенов", other: "токена" }, "ru");
const number = new Intl.NumberFormat("ru");
const lines = (...parts: readonly (string | false | undefined)[]) =>
  parts.filter((part) => part !== false && part !== undefined && part !== "").join("\n");

export const articles = {
  pipeline: {
    title: "статья на сайт",
    kept: (project: string, step: string) => lines(project !== "" && `Проект: ${project}`, `Шаг: ${step}`),
    ended: "Статья готова: можно посмотреть превью.",
    steps: {
      project: "Статья (1/5) — Проект",
      site: "Статья (2/5) — Сайт",
      theme: "Статья (3/5) — Тема",
      preparation: "Статья (4/5) — Подготовка",
      confirmation: "Статья (5/5) — Подтверждение",
      generating: "Статья — Генерация...",
      preview: "Статья — Превью",
      publishing: "Статья — Публикация",
    },
    which: { project: "Для какого проекта?", site: "На какой сайт?", theme: "Какая тема?" },
    newProject: "Создать проект",
    createProject: {
      name: "Статья (1/5) — Проект\n\nДля начала создадим проект — это 30 секунд.\n\nКак назовём проект?",
      company_name: "Статья (1/5) — Проект\n\nКак называется компания?",
      specialization: "Статья (1/5) — Проект\n\nЧем занимается компания?",
      website_url: "Статья (1/5) — Проект\n\nПришлите адрес сайта или нажмите «Пропустить».",
    },
    noSite: "Для публикации нужен WordPress-сайт. Подключим?",
    connect: "Подключить WordPress",
    previewOnly: "Только превью (без публикации)",
    newTheme: "О чём будет статья? Назовите тему.",
    addTheme: "Новая тема",
    otherProject: "Другой проект",
    otherTheme: "Другая тема",
    repeat: {
      text: (place: string, theme: string) => `Как в прошлый раз?\n\n${place}\nТема: ${theme}`,
      same: "Та же тема → генерировать",
    },
    readiness: {
      intro: "Чтобы статья получилась вашей, не хватает:",
      complete: "Всё готово.",
      item: {
        keywords: "Ключевые фразы — без них не начать",
        description: "Описание темы — статья будет точнее",
        prices: "Цены — попадут в статью без выдумок",
      },
      done: {
        keywords: (phrases: string) => `Ключевые фразы: ${phrases}`,
        description: "Описание: есть",
        prices: (count: number) => `Цены: ${count}`,
        images: (count: number, cost: number) => `Изображения: ${count} (${cost} ток.)`,
      },
      phrases: (count: number) =>
        counted(count, { one: "фраза", few: "фразы", many: "фраз", other: "фразы" }, "ru"),
      cost: (article: number, spent: number) =>
        spent > 0
          ? `Статья: ~${article} ток. Подготовка: ${spent} ток. Вместе: ~${article + spent} ток.`
          : `Статья: ~${article} ток.`,
      balance: (balance: number) => `Баланс: ${tokens(balance)}`,
      keywords: "Подобрать ключевики (100 ток.)",
      description: "Описание (20 ток.)",
      prices: "Цены",
      images: "Изображения",
      go: "Всё ОК — генерировать →",
      blocked: "Сначала подберите ключевые фразы: без них статью не о чем писать.",
    },
    images: {
      text: (count: number) =>
        count === 0
          ? "Статья будет без изображений."
          : `В статье будет ${counted(count, { one: "AI-изображение", few: "AI-изображения", many: "AI-изображений", other: "AI-изображения" }, "ru")} по теме.`,
      use: (cost: number) => (cost === 0 ? "Без изображений" : `AI генерация (${cost} токенов)`),
      count: "Настроить количество",
      howMany: "Сколько изображений нужно?",
    },
  },
  publish: {
    title: "публикация статьи",
    header: "Публикация статьи",
    generating: "Публикация статьи — Генерация...",
    preview: "Публикация статьи — Превью",
    publishing: "Публикация статьи",
    failed: "Генерация статьи не удалась. Токены возвращены.",
    kept: (category: string, title: string) =>
      lines(category !== "" && `Тема: ${category}`, title !== "" && `Статья: ${title}`),
  },
  confirm: {
    place: (project: string, site: string | null) => `${project} → ${site ?? "только превью"}`,
    theme: (category: string) => `Тема: ${category}`,
    phrase: (phrase: string, clusters: number) => `Фраза: «${phrase}» (кластеров: ${clusters})`,
    images: (count: number) => `Изображений: ${count}`,
    time: (from: number, to: number) => `Займёт ${Math.max(1, Math.floor(from))}–${Math.ceil(to)} мин.`,
    cost: (about: number) => `Стоимость: ~${about} ток.`,
    free: (about: number) => `Стоимость: ~${about} ток. (GOD_MODE — бесплатно)`,
    balance: (balance: number) => `Баланс: ${tokens(balance)}`,
    held: (tokens: number) => `Удержим до ${tokens} ток. и вернём лишнее, когда узнаем длину текста.`,
    planned: "Напишу по плану.",
    update: (url: string) => `Статья заменит страницу ${url}`,
    short: (needed: number, balance: number) =>
      `Недостаточно токенов! Нужно: ~${needed} | Баланс: ${balance}`,
    debt: (balance: number) =>
      `Ваш баланс отрицателен (${tokens(balance)}) из-за возврата средств. Пополните баланс для продолжения работы.`,
    topUp: "Пополнить баланс",
    topUpFirst: "Пополните баланс: статья подождёт вас 24 часа на главном экране.",
    create: "Создать статью",
    yes: "Да, сгенерировать",
    plan: "План",
    checklist: "Вернуться к чеклисту",
    findPhrases: "Подобрать фразы",
    ask: "Нажмите кнопку, чтобы начать. Токены вернутся, если статья вам не понравится.",
    refilled: "Баланс пополнен! Продолжить?",
  },
  plan: {
    making: "Статья — План...",
    title: (phrase: string) => `План статьи «${phrase}»`,
    angle: (angle: string) => `Главная мысль: ${angle}`,
    titles: "Варианты заголовка:",
    readers: "Что хотят знать читатели:",
    gaps: "Чего нет у конкурентов:",
    sources: "На что опираемся:",
    needs: "Что ещё проверим:",
    own: "Что можете сказать только вы:",
    noOwn: "пока ничего: подойдёт любой ваш факт",
    cost: (from: number, to: number) => `Стоимость статьи: ${from}–${to} ток. План бесплатный.`,
    question: (question: string) =>
      `Один вопрос, чтобы статью нельзя было перепутать с чужой:\n${question}\n\nОтветьте сообщением или нажмите «Создать статью».`,
    next: "Нажмите «Создать статью», и я напишу по этому плану.",
    answered: "Спасибо! Ваш ответ войдёт в статью.",
    noQuestion: "Вопросов больше нет: нажмите «Создать статью» или «К подтверждению».",
    toConfirm: "К подтверждению",
    stopped: "План остановлен. Ничего не списано.",
  },
  ordering: "Начинаю…",
  orderFailed: "Не получилось начать: неполадка на нашей стороне. Ничего не списано, попробуйте ещё раз.",
  gone: "Проект, тема или сайт удалены. Начните статью заново.",
  generationFailed: {
    pipeline: (returned: number) => `Ошибка генерации текста. Токены возвращены: ${returned}`,
    free: "Ошибка генерации текста. Ничего не списано.",
    next: "Повторите или выберите другую тему.",
    again: "Попробовать снова",
  },
  serves: {
    update: "Обновить старую",
    other: "Другая тема",
    anyway: "Всё равно написать",
    which: "О чём написать вместо этого? Эти фразы ещё не заняты.",
    none: "Свободных фраз не осталось. Подберите новые или выберите другую тему.",
    more: "Подобрать фразы",
  },
  changes: {
    label: "Что изменится на странице",
    title: "Что изменится",
    address: "Страница:",
    fileName: "izmeneniya.html",
    page: (url: string) => `Обновляет страницу: ${url}`,
    line: (added: number, removed: number, before: number, after: number) =>
      `Что изменится: новых абзацев ${added}, уйдёт ${removed}; слов было ${before}, станет ${after}.`,
    unknown: "Прежнего текста страницы у меня нет: сравните его с превью перед заменой.",
  },
  preview: {
    words: (words: number, images: number, headings: number) =>
      `Слов: ${number.format(words)} | Изображений: ${images} | Разделов: ${headings}`,
    cluster: (phrase: string) => `Кластер: ${phrase}`,
    score: (score: number) => `Оценка: ${score} из 100`,
    tokens: (held: number, left: number) =>
      `Токенов: ${number.format(held)} (удержано до вашего решения) | Баланс: ${number.format(left)}`,
    free: "Стоимость: 0 ток. (GOD_MODE — бесплатно)",
    site: (site: string) => `Сайт: ${site}`,
    link: (url: string) => `Превью: ${url}`,
    rough: "Превью приблизительное. На сайте статья будет выглядеть в стиле вашей WP-темы.",
    warnings: "Обратите внимание:",
    begins: "Начало статьи:",
    left: (free: number) =>
      free > 0 ? `Бесплатных перегенераций осталось: ${free}` : "Бесплатные перегенерации закончились.",
    noSite: "Сайта пока нет: подключите WordPress или заберите HTML файлом — тогда токены спишутся.",
    open: "Открыть превью ↗",
    publish: "Опубликовать",
    regenerate: "Перегенерировать",
    regenerateFor: (cost: number) => `Перегенерировать (~${cost} ток.)`,
    cancel: "Отмена — вернуть токены",
    connect: "Подключить WordPress и опубликовать",
    html: "Скопировать HTML",
    otherSite: "Другое подключение",
    which: "На какой сайт опубликовать?",
    noOther: "Других сайтов WordPress у проекта нет. Подключите ещё один в разделе «Подключения».",
    decided: "Что делаем с этой статьёй?",
    findPhrases: "Добавить ещё фраз",
  },
  regenerating: "Статья — Пишу заново...",
  short: {
    publish: "Опубликовать текущий",
    back: "К превью",
  },
  cancelling: "Отменяю и возвращаю токены…",
  cancelled: (returned: number) =>
    returned > 0 ? `Статья отменена. Токены возвращены: ${returned}.` : "Статья отменена. Ничего не списано.",
  cancelFailed: "Отменить не получилось: неполадка на нашей стороне. Статья осталась, попробуйте ещё раз.",
  taking: "Готовлю файл…",
  taken: (charged: number) =>
    `HTML статьи в файле выше. Картинки по ссылкам живут неделю: сохраните их на сайт. Списано: ${tokens(charged)}.`,
  fileName: "article.html",
  takeFailed: "Файл не получился: неполадка на нашей стороне. Статья осталась, попробуйте ещё раз.",
  stopped: "Остановлено. Токены возвращены.",
  expired: {
    text: "Превью устарело. Сгенерируйте статью заново.",
    returned: (returned: number) => `Токены возвращены: ${returned}.`,
    told: (keyword: string, returned: number) =>
      `Превью статьи «${keyword}» истекло. ${returned > 0 ? `Токены возвращены: +${returned}.` : "Ничего не списано."}`,
    again: "Сгенерировать заново",
  },
  publishing: {
    begins: "Публикую…",
    again: "Уже публикуется",
    failed:
      "Не получилось начать публикацию: неполадка на нашей стороне. Статья осталась, попробуйте ещё раз.",
    ended: (site: string, returned: number) =>
      `Не удалось опубликовать в WordPress: ${site}. Токены возвращены: ${returned}`,
    /** The headline says the rest already. */
    reason: (said: string) =>
      said.replace(/^Не удалось опубликовать статью: /, "Причина: ").replace(/ Токены возвращены\./, ""),
    next: "Статья сохранена на 24 часа. При повторе токены удержатся снова.",
    check: "Проверить подключение",
    draft: "Сохранить как черновик",
    drafted: "Черновик сохранён на 24 часа. Чтобы вернуться к нему, нажмите «Продолжить».",
    checkFirst: "Проверьте подключение. Статья подождёт вас 24 часа на главном экране.",
  },
  published: {
    title: "Опубликовано!",
    updated: "Страница обновлена!",
    site: (site: string) => `Сайт: ${site}`,
    charged: (charged: number, left: number) => `Списано: ${tokens(charged)} | Осталось: ${tokens(left)}`,
    open: "Открыть статью ↗",
    more: "Ещё статью",
    schedule: "Настроить автопубликацию",
    offer: "Публиковать такие статьи по расписанию?",
    addImages: "Добавить изображения",
    findPhrases: "Подобрать фразы",
    hints: {
      description: "Совет: добавьте описание темы — следующие статьи будут точнее.",
      prices: "Совет: добавьте цены — в статьях будут настоящие цифры.",
      schedule: "Совет: включите расписание — статьи будут выходить сами.",
    },
    addDescription: "Добавить описание",
    addPrices: "Добавить цены",
  },
};
