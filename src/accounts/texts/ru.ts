import type { AccountTexts } from "./index.ts";

const of = (name: string | undefined) => (name ? ` «${name}»` : "");

export const ru: AccountTexts = {
  reasons: {
    object_archived: () => "Объект в архиве",
    no_text: () => "У объекта нет текста",
    no_config: () => "Автопубликация объекта не настроена",
    autopublish_off: () => "Автопубликация объекта выключена",
    accounts_off: () => "Публикация через аккаунты для объекта выключена",
    no_accounts: () => "Для объекта не выбран ни один аккаунт",
    no_chats: ({ account }) => `Для аккаунта${of(account)} не выбран ни один чат`,
    account_missing: () => "Выбранного аккаунта больше нет",
    account_inactive: ({ account }) => `Аккаунт${of(account)} отключён`,
    account_not_connected: ({ account }) => `Аккаунт${of(account)} не вошёл в Telegram`,
    chat_missing: () => "Выбранного чата больше нет",
    chat_of_bot: ({ chat }) => `В чате${of(chat)} публикует бот, а не аккаунты`,
    chat_inactive: ({ chat }) => `Чат${of(chat)} отключён`,
    chat_not_linked: ({ account, chat }) => `Чат${of(chat)} не связан с аккаунтом${of(account)}`,
    chat_not_writable: ({ account, chat }) => `Аккаунт${of(account)} не может писать в чат${of(chat)}`,
  },
  hints: {
    no_active_account: "Задачи ждут, но ни один их аккаунт не активен: включите аккаунт",
    nothing_due: "Задачи ждут своего времени: сейчас ни одной готовой",
    stuck_tasks: "Есть застрявшие задачи: сбросьте их или дождитесь следующего прохода",
    nothing_planned: "Задач нет: план появится с ближайшим началом окна или при сохранении настройки объекта",
    all_well: "Всё идёт по плану",
  },
  verdicts: {
    published: (when) => `Опубликован, последний раз ${when}`,
    planned: (when) => `Запланирован на ${when}`,
    under_way: () => "Публикуется прямо сейчас",
    flood: () => "Telegram попросил аккаунт подождать; задачи вернутся после его включения",
    failed: (when) => `Не опубликован: последняя попытка не удалась ${when}`,
    hindered: () => "Не публикуется: мешают названные причины",
    waits_for_plan: () => "Готов; задачи появятся с ближайшим планом дня",
  },
  test: "Проверка связи: сообщение отправлено из Молвы.",
};
