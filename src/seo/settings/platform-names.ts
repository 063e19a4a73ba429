import type { PlatformType } from "./shape.ts";

/** As people call them. */
export const platformNames: Readonly<Record<PlatformType, string>> = {
  wordpress: "WordPress",
  telegram: "Telegram",
  vk: "VK",
  pinterest: "Pinterest",
};
