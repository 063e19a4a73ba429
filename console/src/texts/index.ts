export type { EventText } from "./events.ru.ts";
export { numbersIn } from "./numbers.ts";
export type { Texts } from "./ru.ts";
export { usePageTexts, useTexts } from "./use-texts.ts";
