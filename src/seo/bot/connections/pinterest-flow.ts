import { z } from "zod";
import { inactivity } from "../limits.ts";
import { flow, screen } from "../services.ts";
import { both, texts } from "../texts/index.ts";
import { connectPinterest, noPinterest, pinterestAnswers } from "./connect-pinterest.ts";
import { connectionId, onCard, projectId, toConnections, where } from "./finish.ts";

const data = z.object({ ...pinterestAnswers.shape, ...where.shape });
type Data = z.infer<typeof data>;

const names = {
  opening: "opening",
  oauth_callback: "oauth_callback",
  listing: "listing",
  select_board: "select_board",
  connecting: "connecting",
  elsewhere: "elsewhere",
  failed: "failed",
} as const;

export const pinterestFlow = flow({
  name: "ConnectPinterest",
  title: both((t) => t.connections.pinterest.title),
  data,
  empty: { ...noPinterest, projectId: 0 },
  first: "opening",
  rivals: "replace",
  // The link is good for as long.
  inactivity: { minutes: inactivity.minutes, text: both((t) => t.connections.pinterest.expired) },
  states: connectPinterest<Data, keyof typeof names>({
    ...{ names, projectId, connectionId, to: "screen:connection:{id}:card" },
    beside: { list: toConnections },
    connected: onCard((t) => t.connections.pinterest.connected),
  }),
});

/** Somebody comes back from Pinterest after the flow has ended. */
export const pinterestLate = screen("pinterest:late", {
  commands: ["start:pinterest_auth_"],
  to: ["page:projects:{page}", "dashboard"],
  show: (_, { language }) => ({
    text: texts[language].connections.pinterest.expired,
    buttons: [
      [{ label: texts[language].common.toProjects, to: "page:projects:1" }],
      [{ label: texts[language].common.mainMenu, to: "dashboard" }],
    ],
  }),
});
