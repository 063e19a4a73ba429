import { address, port, type Setting, wholeNumber, word } from "./setting.ts";

/** Letters, twins and how much is carried at once. */
export const workSettings = {
  MOLVA_SMTP_URL: {
    group: "Alerts",
    about: { en: "Mail server for alerts.", ru: "Почтовый сервер для оповещений." },
    schema: address("smtp", "smtps"),
    secret: true,
    example: "smtps://user:password@mail.example.com",
  },
  MOLVA_SMTP_FROM: {
    group: "Alerts",
    about: { en: "Sender of alert mail.", ru: "Отправитель писем с оповещениями." },
    schema: word,
    shownFallback: "Molva at the mail server's host",
    example: "Молва <molva@example.com>",
  },
  MOLVA_TWIN_PORT: {
    group: "Twins",
    about: { en: "Port of the provider emulators.", ru: "Порт эмуляторов провайдеров." },
    schema: port,
    fallback: 8090,
  },
  MOLVA_DISPATCH_CONCURRENCY: {
    group: "Delivery",
    about: {
      en: "Posts that one dispatcher process sends at the same time.",
      ru: "Сколько публикаций один процесс отправляет одновременно.",
    },
    schema: wholeNumber(1, 1000),
    fallback: 64,
  },
  MOLVA_BOT_CONCURRENCY: {
    group: "Delivery",
    about: {
      en: "Replies of shop bots that one process sends at the same time.",
      ru: "Сколько ответов ботов магазина один процесс отправляет одновременно.",
    },
    schema: wholeNumber(1, 1000),
    fallback: 32,
  },
  MOLVA_SEND_TIMEOUT_SECONDS: {
    group: "Delivery",
    about: {
      en: "How long one request to a provider may take.",
      ru: "Сколько может длиться один запрос к провайдеру.",
    },
    schema: wholeNumber(1, 240),
    fallback: 30,
  },
  MOLVA_SENDING_LEASE_SECONDS: {
    group: "Delivery",
    about: {
      en: "After this time in sending, the process is taken for dead and the delivery is recovered.",
      ru: "Через сколько времени отправляющий процесс считается погибшим и доставка возвращается в работу.",
    },
    schema: wholeNumber(1, 86_400),
    fallback: 300,
  },
  MOLVA_CLAIMED_LEASE_SECONDS: {
    group: "Delivery",
    about: {
      en: "After this time past its slot, a claimed delivery goes back into the queue.",
      ru: "Через сколько времени после своего слота занятая доставка возвращается в очередь.",
    },
    schema: wholeNumber(1, 86_400),
    fallback: 300,
  },
} as const satisfies Record<string, Setting>;
