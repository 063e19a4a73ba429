import { readProject } from "../../projects/projects.ts";
import { type PlatformType, platformTypes } from "../../settings/shape.ts";
import { action, whoseOf } from "../services.ts";
import { ifFound } from "../told.ts";

/** The flow that connects each platform. */
export const connectFlows = {
  wordpress: "flow:ConnectWordPress",
  telegram: "flow:ConnectTelegram",
  vk: "flow:ConnectVK",
  pinterest: "flow:ConnectPinterest",
} as const satisfies Record<PlatformType, string>;

export const beginConnecting = action("project:{id}:connect:{@platform}", {
  to: Object.values(connectFlows),
  async act({ id, platform }, visit) {
    const known = platformTypes.find((each) => each === platform);
    const project = await ifFound(() => readProject(visit.sql, whoseOf(visit), id));
    if (!known || !project) return undefined;
    return { to: connectFlows[known], data: { projectId: id } };
  },
});
