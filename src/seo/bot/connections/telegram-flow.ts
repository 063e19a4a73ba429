import { z } from "zod";
import { inactivity } from "../limits.ts";
import { flow } from "../services.ts";
import { both } from "../texts/index.ts";
import { connectTelegram, noTelegram, telegramAnswers } from "./connect-telegram.ts";
import { connectionId, onCard, projectId, toConnections, where } from "./finish.ts";

const data = z.object({ ...telegramAnswers.shape, ...where.shape });
type Data = z.infer<typeof data>;

const names = {
  channel: "channel",
  token: "token",
  checking: "checking",
  elsewhere: "elsewhere",
  failed: "failed",
} as const;

export const telegramFlow = flow({
  name: "ConnectTelegram",
  title: both((t) => t.connections.telegram.title),
  data,
  empty: { ...noTelegram, projectId: 0 },
  first: "channel",
  rivals: "replace",
  inactivity,
  states: connectTelegram<Data, keyof typeof names>({
    ...{ names, projectId, connectionId, to: "screen:connection:{id}:card" },
    beside: { list: toConnections },
    connected: onCard((t) => t.connections.telegram.connected),
  }),
});
