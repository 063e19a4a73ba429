import type { AlertTexts } from "./texts.ts";

export const ru: AlertTexts = {
  locale: "ru-RU",
  subject: (workspace, first, more) =>
    `Молва, ${workspace}: ${first}${more > 0 ? ` (других причин: ${more})` : ""}`,
  title: (workspace) => `Молва, ${workspace}: нужно внимание`,
  test: {
    title: (workspace) => `Молва, ${workspace}: проверка оповещений`,
    what: "Оповещения сюда доходят.",
    todo: "Это проверка по запросу, делать ничего не нужно.",
  },
  reasons: {
    dead_deliveries: {
      what: (count) => `Доставки, исчерпавшие попытки: ${count}`,
      todo: "Узнайте причину командой molva why, устраните её и отправьте снова: molva delivery requeue.",
    },
    failed_permanent_threshold: {
      what: (count, threshold) => `Окончательные отказы за 10 минут: ${count} при пороге ${threshold}`,
      todo: "Площадка не принимает эти посты. Проверьте текст, медиа и права бота в канале.",
    },
    paused_channels_threshold: {
      what: (count, threshold) => `Каналы на паузе: ${count} при пороге ${threshold}`,
      todo: "Проверьте, что бот остался администратором и его токен действует, затем верните каналы: molva channel resume.",
    },
    sending_leases_recovered: {
      what: (count) => `Прерванные отправки, возвращённые в работу: ${count}`,
      todo: "Процесс остановился посреди отправки. Часть постов могла дойти: где площадка позволяет, Молва проверит это сама. Посмотрите, почему остановился процесс.",
    },
    claimed_leases_recovered: {
      what: (count) => `Взятые, но не отправленные доставки, возвращённые в очередь: ${count}`,
      todo: "Диспетчер остановился или не успевает. Проверьте, что процесс с ролью dispatcher работает.",
    },
    silence_detected: {
      what: (count) => `Замолчавшие каналы: ${count}`,
      todo: "Посты должны были выйти и не вышли. Проверьте источник постов, очередь и окна публикации.",
    },
    source_failed: {
      what: (count) => `Источники, которые не удалось прочитать: ${count}`,
      todo: "Проверьте адрес источника и доступ к нему. Попытки продолжаются, остальные источники работают.",
    },
    webhook_disabled: {
      what: (count) => `Вебхуков отключено, потому что получатели не отвечают: ${count}`,
      todo: "Что они отвечали, покажет molva webhook log. Когда получатель заработает: molva webhook change <вебхук> enabled=true, затем molva webhook replay <вебхук> --failed-since <время>.",
    },
    page_faults: {
      what: (count) => `Опубликованные страницы, с которыми что-то не так: ${count}`,
      todo: "Что именно, покажет molva delivery show. Исправьте на сайте или в посте; сама страница остаётся опубликованной.",
    },
    orphan_events: {
      what: (count) => `События, указывающие на то, чего нет: ${count}`,
      todo: "Строки таблиц удалены или созданы в обход Молвы. Узнайте, кто меняет схему delivery напрямую.",
    },
    bot_error_spike: {
      what: () => "Бот магазина слишком часто не может ответить",
      todo: "Посмотрите, что не удалось: molva bot dialogue list и molva bot stats. Проверьте токен бота и доступ к MAX.",
    },
    fallback_rate_high: {
      what: () => "Слишком много вопросов к боту магазина не подходят ни под одно правило",
      todo: "Посмотрите, о чём спрашивают: molva bot unanswered. Добавьте ключевые слова или правило.",
    },
    operator_missing: {
      what: () => "Покупатели просят сотрудника, а группа сотрудников боту не задана",
      todo: "Задайте группу: molva bot set operators_chat_id=<чат>. До тех пор бот отвечает, что позвать некого.",
    },
    operator_silent: {
      what: (count) => `Покупатели позвали сотрудника и не дождались ответа: ${count}`,
      todo: "Ответьте им в группе сотрудников; кто ждёт, покажет molva bot dialogue list.",
    },
    accounts_stopped: {
      what: (count) => `Аккаунты, остановленные Telegram: ${count}`,
      todo: "Посмотрите, в чём причина и когда аккаунт можно включить снова: molva account list. До тех пор его задачи подождут.",
    },
    billing_discrepancy: {
      what: () => "Учёт токенов и платежей не сходится",
      todo: "Посмотрите где: molva billing check. До выяснения остановите продажи; само ничего не исправляется.",
    },
    payment_trouble: {
      what: (count) => `Трудности с платежами: ${count}`,
      todo: "Если отвергнут ключ ЮKassa, проверьте YOOKASSA_SHOP_ID и YOOKASSA_SECRET_KEY. Уведомления из чужих сетей отклонены, делать ничего не нужно, если только перед сервером не стоит прокси: тогда задайте MOLVA_TRUST_PROXY.",
    },
    llm_no_credits: {
      what: () => "У поставщика языковых моделей кончились деньги на счёте",
      todo: "Пополните счёт или поднимите лимит ключа. До тех пор отвечают запасные модели других поставщиков, а без них запросы не выполняются.",
    },
    payment_refused: {
      what: (count) =>
        `Платежи, которые пришли, но не зачислены, потому что не сходятся с продажей: ${count}`,
      todo: "Посмотрите какие: molva billing payments --faulty. Верните деньги командой molva billing refund или поправьте баланс.",
    },
  },
  since: (time) => `с ${time}`,
  until: (time) => `до ${time}`,
  times: (count) => `×${count}`,
  missing: { channel: "нет канала", message: "нет сообщения", delivery: "нет доставки" },
  source: (id) => `источник ${id}`,
  unnamedChannel: "канал без названия",
  console: (url) => `Подробности в консоли: ${url}`,
};
