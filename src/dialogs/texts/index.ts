import { en } from "./en.ts";
import { ru } from "./ru.ts";

/** The engine's own texts. */
export const texts = { ru, en } as const;
