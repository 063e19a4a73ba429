import type { PlatformLimits } from "../../../src/platforms/index.ts";

export const limits = { text: 500, media: 4, title: 60 } as const satisfies PlatformLimits;
