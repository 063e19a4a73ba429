import { usePageTexts } from "../../texts/index.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

export type PostsTexts = typeof ru;

export const usePostsTexts = (): PostsTexts => usePageTexts({ ru, en });
