import { en } from "./en.ts";
import { ru } from "./ru.ts";

/** What the engine itself says. */
export const texts = { ru, en } as const;
