import { z } from "zod";
import { inactivity } from "../limits.ts";
import { flow } from "../services.ts";
import { both, texts } from "../texts/index.ts";
import { connectWordPress, noWordPress, wordpressAnswers } from "./connect-wordpress.ts";
import { connectionId, projectId, toConnections, where } from "./finish.ts";

const data = z.object({ ...wordpressAnswers.shape, ...where.shape });
type Data = z.infer<typeof data>;

const names = {
  url: "url",
  probing: "probing",
  login: "login",
  password: "password",
  checking: "checking",
  elsewhere: "elsewhere",
  failed: "failed",
} as const;

export const wordpressFlow = flow({
  name: "ConnectWordPress",
  title: both((t) => t.connections.wordpress.title),
  data,
  empty: { ...noWordPress, projectId: 0 },
  first: "url",
  rivals: "replace",
  inactivity,
  states: connectWordPress<Data, keyof typeof names>({
    ...{ names, projectId, connectionId, to: "screen:connection:{id}:card" },
    beside: { list: toConnections },
    connected: ({ language }, { id, identifier }) => ({
      to: `screen:connection:${id}:card`,
      notice: texts[language].connections.wordpress.connected(identifier),
    }),
  }),
});
