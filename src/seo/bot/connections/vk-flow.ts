import { z } from "zod";
import { inactivity } from "../limits.ts";
import { flow } from "../services.ts";
import { both } from "../texts/index.ts";
import { connectVk, noVk, vkAnswers } from "./connect-vk.ts";
import { connectionId, onCard, projectId, toConnections, where } from "./finish.ts";

const data = z.object({ ...vkAnswers.shape, ...where.shape });
type Data = z.infer<typeof data>;

const names = {
  token: "token",
  listing: "listing",
  select_group: "select_group",
  connecting: "connecting",
  elsewhere: "elsewhere",
  failed: "failed",
} as const;

export const vkFlow = flow({
  name: "ConnectVK",
  title: both((t) => t.connections.vk.title),
  data,
  empty: { ...noVk, projectId: 0 },
  first: "token",
  rivals: "replace",
  inactivity,
  states: connectVk<Data, keyof typeof names>({
    ...{ names, projectId, connectionId, to: "screen:connection:{id}:card" },
    beside: { list: toConnections },
    connected: onCard((t) => t.connections.vk.connected),
  }),
});
