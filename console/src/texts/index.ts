export type { EventText } from "./events.ru.ts";
export type { Texts } from "./ru.ts";
export { useTexts } from "./use-texts.ts";
