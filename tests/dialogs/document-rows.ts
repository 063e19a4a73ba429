/**
 * What the document of dialogues prescribes: the sentences of its validation table (§3) and the transitions that it draws (§5). Every
 * row is shown by a script of this folder, or by the test that is named.
 */

export interface FaultRow {
  readonly flow: string;
  readonly step: string;
  /** What the bot says; without words, the buttons again. */
  readonly says: string;
}

const again = "Пожалуйста, нажмите одну из кнопок.";

export const faultRows: readonly FaultRow[] = [
  { flow: "ProjectCreate", step: "name", says: "Введите название от 2 до 100 символов" },
  { flow: "ProjectCreate", step: "company_name", says: "Введите название от 2 до 200 символов" },
  { flow: "ProjectCreate", step: "specialization", says: "Опишите подробнее (мин. 5 символов)" },
  { flow: "ProjectCreate", step: "website_url", says: "Введите корректный URL или нажмите Пропустить" },
  { flow: "ConnectWordPress", step: "url", says: "Сайт недоступен. Проверьте URL" },
  { flow: "ConnectWordPress", step: "login", says: "Введите логин WordPress" },
  { flow: "ConnectWordPress", step: "password", says: "Введите Application Password из WordPress" },
  { flow: "ConnectTelegram", step: "channel", says: "Введите @channel, t.me/channel или числовой ID" },
  { flow: "ConnectTelegram", step: "token", says: "Токен невалиден. Получите токен у @BotFather" },
  { flow: "KeywordGeneration", step: "products", says: "Опишите товары/услуги подробнее" },
  { flow: "KeywordGeneration", step: "geography", says: "Укажите географию работы" },
  { flow: "KeywordGeneration", step: "quantity", says: again },
  { flow: "ScheduleSetup", step: "select_days", says: "Выберите хотя бы один день" },
  { flow: "PriceInput", step: "text_input", says: "Формат: Товар — Цена (каждый с новой строки)" },
  { flow: "DescriptionGenerate", step: "confirm", says: again },
  { flow: "CompetitorAnalysis", step: "url", says: "Введите корректный URL сайта конкурента" },
  { flow: "CategoryCreate", step: "name", says: "Введите название от 2 до 100 символов" },
  { flow: "ProjectEdit", step: "field_value", says: "Некорректный формат для поля E-mail" },
  { flow: "SocialPostPublish", step: "confirm_cost", says: again },
  {
    flow: "KeywordUpload",
    step: "file_upload",
    says: "Загрузите TXT-файл (UTF-8), одна фраза на строку. Макс. 500 фраз, 1 МБ",
  },
  { flow: "PriceInput", step: "file_upload", says: "Загрузите Excel (.xlsx), макс. 1000 строк, 5 МБ" },
  { flow: "ScheduleSetup", step: "select_count", says: again },
  { flow: "ScheduleSetup", step: "select_times", says: "Выберите ровно 2 временных слота" },
];

/** From a state to a state of the flow; `end` is no flow any more. The document's checks are states of their own here. */
interface Transition {
  readonly flow: string;
  readonly steps: readonly string[];
  /** The test that shows it, where no script can without waiting. */
  readonly test?: string;
}

const drawn: readonly Transition[] = [
  {
    flow: "ArticlePublish",
    steps: [
      ...["confirm_cost → ordering", "ordering → generating", "confirm_cost → end", "generating → preview"],
      ...["generating → generation_failed", "preview → publishing_begins", "publishing_begins → publishing"],
      ...["publishing → end", "publishing → publishing_failed", "preview → regenerating"],
      ...["regenerating → preview", "preview → cancelling", "cancelling → end"],
    ],
  },
  {
    flow: "SocialPostPublish",
    steps: [
      ...["confirm_cost → generating", "confirm_cost → end", "generating → review"],
      ...["generating → over", "review → regenerating", "regenerating → review"],
      ...["publishing → end"],
    ],
  },
  {
    flow: "ProjectCreate",
    steps: [
      ...["name → company_name", "company_name → specialization", "specialization → website_url"],
      ...["website_url → end"],
    ],
  },
  {
    flow: "ScheduleSetup",
    steps: ["select_days → select_count", "select_count → select_times", "select_times → end"],
  },
  {
    flow: "ConnectWordPress",
    steps: [
      ...["url → probing", "probing → login", "login → password", "password → checking", "checking → end"],
      ...["checking → failed"],
    ],
  },
  {
    flow: "ConnectTelegram",
    steps: ["channel → token", "token → checking", "checking → end", "checking → failed"],
  },
  {
    flow: "ConnectVK",
    steps: ["token → listing", "listing → select_group", "select_group → connecting", "connecting → end"],
  },
  {
    flow: "ConnectPinterest",
    steps: [
      ...["oauth_callback → listing", "listing → select_board", "select_board → connecting"],
      ...["connecting → end", "oauth_callback → end"],
    ],
  },
  {
    flow: "KeywordGeneration",
    steps: [
      ...["products → geography", "geography → quantity", "quantity → confirm", "confirm → fetching"],
      ...["confirm → end"],
    ],
  },
  {
    flow: "KeywordGeneration",
    test: "src/seo/bot/keywords/keywords.test.ts",
    steps: ["fetching → clustering", "clustering → enriching", "enriching → end"],
  },
  { flow: "KeywordUpload", steps: ["file_upload → enriching"] },
  {
    flow: "KeywordUpload",
    test: "src/seo/bot/keywords/keyword-upload.test.ts",
    steps: ["enriching → clustering", "clustering → end"],
  },
  {
    flow: "CompetitorAnalysis",
    steps: [
      ...["url → checking", "checking → confirm", "confirm → ordering", "ordering → analyzing"],
      ...["analyzing → results", "results → end", "confirm → end", "analyzing → end"],
    ],
  },
  {
    flow: "ArticlePipeline",
    steps: [
      ...["select_project → select_wp", "select_wp → select_category", "select_category → confirm_cost"],
      ...["create_project_name → create_project_company", "create_project_company → create_project_spec"],
      ...["create_project_spec → create_project_url", "create_project_url → select_wp"],
      ...["connect_wp_login → connect_wp_password", "connect_wp_password → connect_wp_checking"],
      ...["create_category_name → readiness_check", "readiness_check → confirm_cost"],
      ...["readiness_check → readiness_keywords_city", "readiness_keywords_city → readiness_keywords_choose"],
      ...["readiness_keywords_choose → readiness_keywords_generating"],
      ...["readiness_keywords_generating → readiness_check", "readiness_check → readiness_description"],
      ...["confirm_cost → ordering", "ordering → generating", "confirm_cost → end", "generating → preview"],
      ...["generating → generation_failed", "generating → end", "preview → publishing_begins"],
      ...["publishing_begins → publishing", "publishing → end", "publishing → publishing_failed"],
      ...["preview → regenerating", "regenerating → preview", "preview → regeneration_short"],
    ],
  },
  { flow: "SubscriptionChange", steps: ["changing → end"] },
  {
    flow: "SocialPipeline",
    steps: [
      ...["select_project → select_category", "select_connection → confirm_cost"],
      ...["select_category → confirm_cost", "create_project_name → create_project_company"],
      ...["create_project_company → create_project_spec", "create_project_spec → create_project_url"],
      ...["create_project_url → select_connection", "connect_tg_channel → connect_tg_token"],
      ...["connect_tg_token → connect_tg_verify", "connect_vk_token → connect_vk_listing"],
      ...["connect_pinterest_oauth → connect_pinterest_listing"],
      ...["create_category_name → readiness_check", "readiness_check → confirm_cost"],
      ...["confirm_cost → generating", "confirm_cost → end", "generating → review"],
      ...["review → regenerating", "regenerating → review", "publishing → end"],
      ...["cross_post_review → cross_post_handing", "cross_post_handing → cross_post_publishing"],
      ...["cross_post_publishing → end"],
    ],
  },
];

/** What the bot says in the document's edge cases; those of schedules, payments and the server are shown by tests. */
export const caseRows: readonly { readonly id: string; readonly says: string }[] = [
  { id: "E01", says: "Недостаточно токенов! Нужно: ~320 | Баланс: 50" },
  { id: "E02", says: "Не удалось опубликовать в WordPress" },
  { id: "E03", says: "Данные без реальных объёмов поиска" },
  { id: "E05", says: "Предпросмотр недоступен: ниже начало статьи" },
  { id: "E08", says: "[Переподключить VK]" },
  { id: "E09", says: "Максимум 1000 товаров. Сократите файл" },
  { id: "E10", says: "Перегенерация стоит ~" },
  { id: "E16", says: "без них статью не о чем писать" },
  { id: "E18", says: "Превью устарело. Сгенерируйте статью заново." },
  { id: "E20", says: "Подключение Pinterest отменено. Попробуйте снова." },
  { id: "E21", says: "Не удалось подключить Pinterest: " },
  { id: "E22", says: "Все кластеры использованы за последние 7 дней" },
  { id: "E23", says: "Добавьте ещё ключевых фраз для разнообразия контента" },
  { id: "E25", says: "Превышен лимит генераций" },
  { id: "E26", says: "Предыдущий процесс (" },
  { id: "E27", says: "Сессия истекла. Сгенерируйте пост заново." },
  { id: "E31", says: "Анализ конкурентов недоступен. Попробуйте позже." },
  { id: "E34", says: "без изображений (генерация не удалась)" },
  { id: "E35", says: "Генерация статьи не удалась. Токены возвращены." },
  { id: "E38", says: "[Меньше отзывов]" },
  { id: "E40", says: "В категории нет кластеров для статей. Добавьте информационные фразы." },
  { id: "E49", says: "Прервать? Прогресс будет сохранён 24 часа." },
  { id: "E51", says: "Баланс пополнен! Продолжить?" },
  { id: "E52", says: "Не удалось адаптировать для" },
  { id: "negative balance", says: "Ваш баланс отрицателен (-700 токенов) из-за возврата средств" },
  { id: "Pinterest's limit", says: "Pinterest ограничил запросы. Попробуйте через 15 минут." },
];

export interface StepRow {
  readonly flow: string;
  readonly step: string;
  readonly test?: string;
}

export const stepRows: readonly StepRow[] = drawn.flatMap(({ flow, steps, test }) =>
  steps.map((step) => ({ flow, step, ...(test !== undefined && { test }) })),
);
