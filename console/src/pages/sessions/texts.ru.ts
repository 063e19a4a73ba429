import { numbersIn } from "../../texts/index.ts";
import type { Device } from "./device.ts";

const numbers = numbersIn("ru");

export const ru = {
  title: "Сеансы",
  lead: "Где вы вошли в консоль. Не узнали устройство? Закончите сеанс и смените пароль.",
  whose: "Чьи сеансы",
  own: "Мои",
  everybody: "Всех операторов",
  device: "Устройство",
  deviceIn: ({ browser, system }: Device) =>
    browser === null && system === null
      ? "Неизвестное устройство"
      : [browser ?? "Браузер", system].filter((part) => part !== null).join(", "),
  current: "этот",
  who: "Кто",
  address: "Адрес",
  lastSeen: "Последний раз",
  since: "Вход",
  until: "Закончится",
  end: "Закончить",
  endOf: (device: string, login: string) => `Закончить сеанс: ${device}, ${login}`,
  endTitle: (device: string, login: string) => `Закончить сеанс «${device}» (${login})?`,
  endHint: "На том устройстве придётся войти заново. То, что там не сохранили, пропадёт.",
  endOthers: "Закончить все остальные",
  endOthersTitle: "Закончить все ваши сеансы, кроме этого?",
  endOthersHint: "На остальных устройствах придётся войти заново.",
  ended: (count: number) =>
    count === 1
      ? "Сеанс закончен."
      : `Закончено: ${numbers.count(count, { one: "сеанс", few: "сеанса", other: "сеансов" })}.`,
};
