import { dashboard } from "./dashboard.ts";
import { help, helpTopic } from "./help.ts";
import { about, settings, support } from "./settings.ts";

export const homeFlows = [] as const;
export const homeScreens = [dashboard, settings, support, about, help, helpTopic] as const;
