import { numbersIn } from "../../../texts/index.ts";

const numbers = numbersIn("ru");
const channels = (count: number) => numbers.count(count, { one: "канал", few: "канала", other: "каналов" });

export const fileRu = {
  open: "Файл каналов",
  title: "Каналы файлом",
  lead: "Выгрузите все каналы, поправьте в редакторе и загрузите обратно. Сначала покажем, что изменится.",
  exportTitle: "Выгрузка",
  exportHint: "Токенов в файле нет, только имена доступов. Подключения пользователей ботов в него не входят.",
  download: (count: number) => `Скачать YAML: ${channels(count)}`,
  importTitle: "Загрузка",
  importHint:
    "Канал узнаём по площадке и адресу. Чего в файле нет, остаётся как есть: пропущенное поле не меняется, пропущенный канал не удаляется.",
  choose: "Выбрать файл…",
  text: "Содержимое файла",
  textHint: "Можно вставить и сюда. null очищает поле",
  example:
    'channels:\n  - platform: telegram\n    target_id: "-1001234567890"\n    auth_ref: news-bot\n    title: Новости',
  refused: "Файл не принят, ничего не изменено",
  faults: {
    syntax: (line: number, detail: string) => `Строка ${line}: это не YAML (${detail}).`,
    unknown: (line: number, key: string) => `Строка ${line}: поля «${key}» нет. Возможно, опечатка.`,
    missing: (line: number, keys: string) => `Строка ${line}: у канала не указано ${keys}.`,
    twice: (line: number, name: string) => `Строка ${line}: канал ${name} уже был выше.`,
    shape: (line: number) => `Строка ${line}: нужен список «channels:», в нём каналы с полями.`,
  },
  plan: "Что изменится",
  summary: (added: number, changed: number, same: number) =>
    `Добавится: ${channels(added)}, изменится: ${channels(changed)}, без изменений: ${channels(same)}.`,
  unmentioned: (count: number) => `В файле не упомянуто: ${channels(count)}, они останутся.`,
  added: (name: string) => `Новый: ${name}`,
  rotateInstead: "Доступ меняют на странице канала, здесь он не изменится.",
  apply: (count: number) => `Применить: ${channels(count)}`,
  progress: (done: number, all: number) => `Применяем: ${done} из ${all}…`,
  done: (count: number) => `Применено: ${channels(count)}`,
  ok: "готово",
};
