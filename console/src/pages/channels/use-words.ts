import { usePageTexts } from "../../texts/index.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

const both = { ru, en };

export const useWords = () => usePageTexts(both);
