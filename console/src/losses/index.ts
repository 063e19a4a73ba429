export { lossesEn } from "./en.ts";
export { lossesRu } from "./ru.ts";
