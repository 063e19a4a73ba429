import { advisorSettings } from "./settings-advisor.ts";
import { providerSettings } from "./settings-providers.ts";
import { serverSettings } from "./settings-server.ts";
import { workSettings } from "./settings-work.ts";

/** Every setting of the server, in the order of the documents. */
export const settings = {
  ...serverSettings,
  ...providerSettings,
  ...advisorSettings,
  ...workSettings,
};

export type SettingName = keyof typeof settings;
