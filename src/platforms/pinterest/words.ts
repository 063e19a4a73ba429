import type { PlatformWords } from "../definition.ts";

const connect = "molva credential connect {platform} {auth_ref}";

const en: PlatformWords = {
  credentials: "the account's consent: molva credential connect pinterest",
  fine: {
    token: "The account is connected: {bot}.",
    chat: "The board is there: {chat}.",
    rights: "Its owner allowed Pins to be made.",
  },
  wrong: {
    no_credential: {
      text: "No Pinterest account is connected under the name {auth_ref}.",
      advice: `Connect one: ${connect}`,
    },
    token_refused: {
      text: "Pinterest accepts the account's tokens no more: access was taken away, or has ended.",
      advice: `Connect it again: ${connect}`,
    },
    account_restricted: {
      text: "Pinterest has stopped this account, or is reviewing it: {said}",
      advice: "Sign in to Pinterest and see what it says; nothing can be posted meanwhile.",
    },
    may_not_look: {
      text: "The account's owner did not allow its boards to be seen.",
      advice: `Connect it again and allow everything that is asked for: ${connect}`,
    },
    chat_not_found: {
      text: "Pinterest knows no board {target} of this account.",
      advice: "Copy the link of the board, then: molva channel set {channel} target_id=…",
    },
    board_of_another: {
      text: "The board {target} belongs to another account.",
      advice: `Choose a board of the connected account, or connect the board's own: ${connect}`,
    },
    may_not_post: {
      text: "The account's owner did not allow Pins to be made.",
      advice: `Connect it again and allow everything that is asked for: ${connect}`,
    },
  },
};

const ru: PlatformWords = {
  credentials: "согласии владельца аккаунта: molva credential connect pinterest",
  fine: {
    token: "Аккаунт подключён: {bot}.",
    chat: "Доска найдена: {chat}.",
    rights: "Владелец разрешил создавать пины.",
  },
  wrong: {
    no_credential: {
      text: "Под именем {auth_ref} аккаунт Pinterest не подключён.",
      advice: `Подключите его: ${connect}`,
    },
    token_refused: {
      text: "Pinterest больше не принимает токены аккаунта: доступ отозван или истёк.",
      advice: `Подключите аккаунт заново: ${connect}`,
    },
    account_restricted: {
      text: "Pinterest остановил или проверяет этот аккаунт: {said}",
      advice: "Войдите в Pinterest и посмотрите, что он пишет; пока публиковать нельзя.",
    },
    may_not_look: {
      text: "Владелец не разрешил видеть свои доски.",
      advice: `Подключите аккаунт заново и разрешите всё, о чём спросит Pinterest: ${connect}`,
    },
    chat_not_found: {
      text: "У этого аккаунта нет доски {target}.",
      advice: "Скопируйте ссылку на доску, затем: molva channel set {channel} target_id=…",
    },
    board_of_another: {
      text: "Доска {target} принадлежит другому аккаунту.",
      advice: `Выберите доску подключённого аккаунта или подключите владельца доски: ${connect}`,
    },
    may_not_post: {
      text: "Владелец не разрешил создавать пины.",
      advice: `Подключите аккаунт заново и разрешите всё, о чём спросит Pinterest: ${connect}`,
    },
  },
};

export const words = { en, ru };
