import { counted } from "../../../../kernel/words/index.ts";

const plural = new Intl.PluralRules("ru");
const number = new Intl.NumberFormat("ru");

export const connections = {
  checking: "Проверяю подключение…",
  tryAgain: "Повторить попытку",
  allTheSame: "Подключить всё равно",
  elsewhere: (said: string) => `${said}\n\nПодключить всё равно или выбрать другое место?`,
  wordpress: {
    title: "подключение WordPress",
    url: "WordPress (1/3) — Сайт\n\nПришлите адрес сайта, например example.com. Если забудете https://, я добавлю.",
    probing: "Открываю сайт…",
    login: (site: string) =>
      `WordPress (2/3) — Логин\n\nСайт: ${site}. Пришлите логин WordPress: от его имени будут выходить статьи.`,
    password:
      "WordPress (3/3) — Application Password\n\nНа сайте откройте «Пользователи → Профиль → Пароли приложений», введите имя «SEO Master» и нажмите «Добавить». Появятся 24 буквы и цифры — пришлите их сюда.\n\nСообщение с паролем я сразу удалю, а пароль сохраню в зашифрованном виде.",
    openProfile: "Открыть профиль WordPress",
    otherSite: "Другой сайт",
    otherPassword: "Ввести логин и пароль заново",
    connected: (site: string) =>
      `Сайт ${site} подключён! Сейчас изучу его цвета, страницы и скорость — результат появится в карточке подключения.`,
    failed: (site: string, said: string) =>
      `Не удалось подключиться к ${site}\n\n${said === "" ? "" : `${said}\n\n`}Возможные причины:\n• опечатка в логине или в Application Password\n• это обычный пароль, а не Application Password\n• REST API закрыт плагином безопасности или хостингом\n\nНичего не сохранено. Повторите попытку или укажите другой сайт.`,
  },
  members: (count: number) =>
    counted(count, { one: "участник", few: "участника", many: "участников", other: "участника" }, "ru"),
  telegram: {
    title: "подключение Telegram",
    channel:
      "Telegram (1/2) — Канал\n\nПришлите канал: @channel, t.me/channel или числовой ID вида -1001234567890.",
    token:
      "Telegram (2/2) — Токен бота\n\n1. Откройте @BotFather и отправьте /newbot.\n2. Придумайте имя бота — BotFather пришлёт токен.\n3. Добавьте бота в администраторы канала с правом публиковать.\n4. Пришлите токен сюда: сообщение с ним я сразу удалю.",
    openBotFather: "Открыть BotFather",
    checkAgain: "Проверить снова",
    otherChannel: "Другой канал",
    connected: (channel: string) => `Telegram подключён! Канал: ${channel}`,
    failed: (said: string) =>
      `${said === "" ? "Не удалось подключить Telegram." : said}\n\nОткройте настройки канала → «Администраторы», добавьте бота и разрешите ему публиковать. Затем нажмите «Проверить снова» или укажите другой канал.`,
  },
  noAnswer: "сервис не отвечает, попробуйте ещё раз через несколько минут",
  vk: {
    title: "подключение VK",
    token:
      "VK (1/2) — Токен\n\nНужен токен человека, который редактирует сообщество, с правами wall, photos и groups и без срока действия (offline). Как его получить, рассказано по кнопке ниже.\n\nПришлите токен сюда: сообщение с ним я сразу удалю.",
    openGuide: "Как получить токен",
    listing: "Загружаю список сообществ…",
    select_group: "VK (2/2) — Группа\n\nВыберите группу или страницу, куда публиковать.",
    noGroups:
      "По этому токену нет сообществ, где можно публиковать. Станьте редактором сообщества или пришлите другой токен.",
    apiError: (message: string) => `Ошибка VK API: ${message}`,
    otherGroup: "Другая группа",
    reconnect: "Переподключить VK",
    connected: (group: string) => `VK подключён! Группа: ${group}`,
    failed: (said: string) =>
      `${said === "" ? "Не удалось подключить VK." : said}\n\nНичего не сохранено. Повторите попытку или пришлите другой токен.`,
  },
  pinterest: {
    title: "подключение Pinterest",
    opening: "Готовлю ссылку…",
    oauth_callback:
      "Pinterest (1/2) — Доступ\n\nНажмите «Авторизоваться в Pinterest», разрешите доступ и вернитесь сюда по кнопке на странице. Ссылка действует 30 минут.",
    authorise: "Авторизоваться в Pinterest",
    expired: "Подключение Pinterest отменено. Попробуйте снова.",
    listing: "Загружаю список досок…",
    select_board: "Pinterest (2/2) — Доска\n\nВыберите доску, на которую публиковать пины.",
    otherBoard: "Другая доска",
    off: "на этом сервере Pinterest не настроен",
    notGranted: "доступ не дан или ссылка устарела",
    noBoards: "в аккаунте нет досок, создайте первую в Pinterest",
    limited: "Pinterest ограничил запросы. Попробуйте через 15 минут.",
    later: "Повторить через 15 мин",
    again: "Попробовать снова",
    connected: (board: string) => `Pinterest подключён! Доска: ${board}`,
    failed: (error: string) =>
      `Не удалось подключить Pinterest: ${(error || "неполадка на нашей стороне").replace(/\.$/, "")}.\n\nНичего не сохранено. Попробуйте снова.`,
  },
  marks: { active: "✅", error: "⚠️", disconnected: "⛔" },
  statuses: { active: "активно", error: "ошибка", disconnected: "отключено" },
  toConnection: "К подключению",
  list: {
    title: (project: string, count: number) => `Подключения — ${project} (${count}):`,
    empty: "Подключений пока нет. Добавьте сайт или соцсеть — туда будут выходить статьи и посты.",
    next: "Нажмите на подключение, чтобы открыть его, или добавьте новое.",
    add: (platform: string) => `Добавить ${platform}`,
  },
  card: {
    status: (status: string) => `Статус: ${status}`,
    since: (date: string) => `Подключено: ${date}`,
    error: (words: string) =>
      `Что случилось: ${words.replace(/\.$/, "")}. Проверьте подключение или подключите заново.`,
    unknownError: "площадка отказала в публикации",
    disconnected: "Доступа больше нет: подключите заново.",
    open: "Открыть ↗",
    check: "Проверить подключение",
    reconnect: (platform: string) => `Переподключить ${platform}`,
    remove: "Удалить подключение",
  },
  check: {
    title: "проверка подключения",
    ok: "Подключение работает.",
    wrong: (words: string) => `Проверка не прошла: ${words.replace(/\.$/, "")}.`,
    failed: "Проверить не получилось: неполадка на нашей стороне. Попробуйте ещё раз чуть позже.",
  },
  remove: {
    question: (name: string, schedules: number) =>
      `Удалить подключение ${name}?\n\n${
        schedules === 0
          ? "Расписаний у него нет."
          : `Вместе с ним удалятся расписания: ${number.format(schedules)}.`
      } Опубликованное останется на месте.`,
  },
  site: {
    title: "настройки сайта",
    saved: "Сохранено.",
    clear: "Очистить",
    notSet: "Сейчас не задано.",
    now: (value: string) => `Сейчас: ${value}`,
    learning: "Изучаю сайт: цвета, скорость и страницы появятся здесь через минуту-другую.",
    score: (performance: number, seo: number | null) =>
      `PageSpeed: ${performance}/100${seo === null ? "" : `, SEO: ${seo}/100`}`,
    linksFound: (count: number) =>
      count === 0
        ? "Внутренних ссылок пока не обнаружено."
        : plural.select(count) === "one"
          ? `Обнаружена ${number.format(count)} внутренняя ссылка — будет использоваться в статьях`
          : `Обнаружено ${counted(count, { one: "внутренняя ссылка", few: "внутренние ссылки", many: "внутренних ссылок", other: "внутренней ссылки" }, "ru")} — будут использоваться в статьях`,
    categories: {
      button: "Категории WP",
      ask: "Категории WP\n\nВ какие рубрики сайта класть статьи? Пришлите названия через запятую: недостающие появятся сами.",
      refusal: "Пришлите от 1 до 20 названий через запятую, каждое не длиннее 100 символов.",
    },
    tags: {
      button: "Теги",
      ask: "Теги\n\nКакие метки ставить статьям? Пришлите их через запятую.",
      refusal: "Пришлите от 1 до 50 меток через запятую, каждая не длиннее 100 символов.",
    },
    internal: {
      button: "Внутренние ссылки",
      question: (site: string, count: number, found: number | null) =>
        `Внутренние ссылки — ${site}\n\nСколько ссылок на страницы сайта ставить в статью? Сейчас: ${count}.${found === null ? "" : ` Страниц найдено: ${found}.`}`,
    },
    external: {
      button: "Внешние ссылки",
      ask: "Внешние ссылки\n\nНа какие страницы других сайтов ссылаться, если статья о них говорит? Пришлите до пяти строк вида\nНазвание — https://example.com/page",
      refusal: "Формат: Название — https://example.com/page, до пяти строк. Название — от 2 символов.",
    },
    canonical: {
      ask: "Canonical\n\nЕсли оригиналы статей лежат на другом сайте, пришлите его адрес, например https://example.com. Обычно это не нужно.",
      refusal: "Пришлите адрес, который начинается с http:// или https://.",
    },
    seo: {
      button: "SEO: canonical, robots",
      question: (site: string, canonical: string | null, robots: string | null) =>
        `SEO — ${site}\n\nCanonical: ${canonical ?? "сама статья"}\nRobots: ${robots ?? "как решит сайт"}\n\nЧто сказать поисковым роботам о статьях?`,
      changeCanonical: "Изменить canonical",
      asSite: "Как решит сайт",
    },
    schema: {
      button: "Schema.org тип",
      question: (site: string) => `Schema.org — ${site}\n\nКак представить статьи поисковикам?`,
      types: {
        Article: "Статья (Article)",
        BlogPosting: "Запись блога (BlogPosting)",
        NewsArticle: "Новость (NewsArticle)",
        TechArticle: "Инструкция (TechArticle)",
      },
    },
    colors: {
      button: "Цвета сайта",
      line: (colours: string) => `Цвета сайта: ${colours}`,
      names: namesOf({
        primary: "основной",
        secondary: "второй",
        accent: "акцент",
        background: "фон",
        text: "текст",
        link: "ссылки",
        border: "рамки",
      }),
      shown: (site: string, colours: string) =>
        colours === ""
          ? `Цвета сайта — ${site}\n\nЦвета пока не определены. Статьи выйдут в оформлении темы сайта.`
          : `Цвета сайта — ${site}\n\n${colours}\n\nЭтими цветами оформляются таблицы и врезки в статьях. Они берутся с сайта сами.`,
    },
  },
  menu: {
    text: (category: string, connection: string, status: string) =>
      `${category} → ${connection}\nСтатус: ${status}\n\nЧто сделать?`,
    publish: {
      wordpress: "Опубликовать статью",
      telegram: "Опубликовать пост",
      vk: "Опубликовать пост",
      pinterest: "Опубликовать пин",
    },
    schedule: "Расписание",
    content: "Настройки контента",
    ownContent: "Настройки контента (свои настройки)",
    link: "Ссылка на сайт",
    changeLink: "Изменить сайт проекта",
    linkText: {
      wordpress: (site: string | null) => `Статьи выходят на сайте ${site ?? ""}`,
      telegram: (site: string | null) => postLink(site),
      vk: (site: string | null) => postLink(site),
      pinterest: (site: string | null) =>
        site === null
          ? "Пины пока никуда не ведут: у проекта не указан сайт. Добавьте его в полях проекта."
          : `Пины ведут на ${site}`,
    },
    boards: "Выбор досок",
    connection: "Подключение",
    disconnect: "Отключить платформу",
  },
};

const postLink = (site: string | null) =>
  site === null
    ? "У проекта не указан сайт, поэтому в постах нет ссылки на него. Добавьте сайт в полях проекта."
    : `Сайт проекта, о котором рассказывают посты: ${site}`;

/** Other names are shown as they are. */
function namesOf(names: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return names;
}
