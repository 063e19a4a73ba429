import { settingsOf } from "../../kernel/config/index.ts";
import { perCore } from "../../workspaces/index.ts";
import { seoSettings } from "../environment.ts";
import { seoParts, workshopOf } from "../parts.ts";
import { officeOf } from "./admin/office.ts";
import { sellingOf } from "./money/selling.ts";
import type { BotServices } from "./services.ts";

/** The services of the bot, created once per core. */
export const botServices = perCore(
  (core): BotServices => ({
    ...{ ...seoParts(core), ...workshopOf(core), guarded: core.guarded, consent: core },
    ...{ selling: sellingOf(core).selling, office: officeOf(core) },
    support: settingsOf(core, seoSettings).SEO_SUPPORT,
  }),
);
