import { port, type Settings, wholeNumber } from "./setting.ts";

/** The twins, and the timeouts of every sender. */
export const workSettings = {
  MOLVA_TWIN_PORT: {
    group: "Twins",
    about: { en: "Port of the provider emulators.", ru: "Порт эмуляторов провайдеров." },
    schema: port,
    fallback: 8090,
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
} as const satisfies Settings;
