import { both } from "./texts/index.ts";

/** The rules of every flow: half an hour of silence ends it; what is kept, is kept for a day. */
export const inactivity = { minutes: 30, text: both((t) => t.common.expired) } as const;
export const keepHours = 24;
/** What comes faster is dropped without an answer. */
export const pace = { perMinute: 30 } as const;
