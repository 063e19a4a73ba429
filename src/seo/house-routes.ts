/** The paths of the document besides the bot's and those of `/api/v1`: jobs and health. */
import type { RouteModule } from "../http/index.ts";
import { settingsOf } from "../kernel/config/index.ts";
import { version } from "../kernel/paths/index.ts";
import type { Core } from "../workspaces/index.ts";
import { officeOf } from "./bot/admin/office.ts";
import { seoSettings } from "./environment.ts";
import { healthOf, healthRoute } from "./health/index.ts";
import { cleanUpJob, jobRoutes, storedSlots } from "./jobs/index.ts";
import { notify } from "./notices/notify.ts";
import { workshopOf } from "./parts.ts";
import { signingKeysOf } from "./qstash/index.ts";

export function houseRoutes(core: Core): readonly RouteModule[] {
  const { sql, clock, keyValue, publicUrl } = core;
  const token = settingsOf(core, seoSettings).HEALTH_CHECK_TOKEN;
  return [
    jobRoutes({
      ...{ sql, clock, keyValue, publicUrl, signingKeys: signingKeysOf(core) },
      slots: storedSlots(sql),
      cleanUp: () => cleanUpJob({ ...workshopOf(core), sql, clock }),
      notify: (type) => notify({ sql, clock, broadcasts: officeOf(core).broadcasts }, type),
    }),
    healthRoute({ health: healthOf(core), version, token, uptimeSeconds: () => process.uptime() }),
  ];
}
