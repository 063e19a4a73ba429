import { z } from "zod";
import type { DeviceParameters } from "../../platforms/index.ts";

/** How an account that signs in here shows itself in Telegram's list of devices; kept with the account for good. */
export const ownDevice: DeviceParameters = {
  deviceModel: "Molva",
  systemVersion: "Server",
  appVersion: "1.0",
  langCode: "ru",
};

export const deviceShape = z.object({
  deviceModel: z.string(),
  systemVersion: z.string(),
  appVersion: z.string(),
  langCode: z.string(),
});
