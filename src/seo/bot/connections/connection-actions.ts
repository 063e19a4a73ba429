/** What a person does with a connection: checks it, gives it another account, removes it. */
import { z } from "zod";
import { checkConnection, readConnection } from "../../connections/connections.ts";
import type { SeoConnection } from "../../connections/shape.ts";
import { siteUrlOf } from "../../connections/site-url.ts";
import { inactivity } from "../limits.ts";
import { action, flow, screen, whoseOf } from "../services.ts";
import { both, texts } from "../texts/index.ts";
import { ifFound } from "../told.ts";
import { connectFlows } from "./begin-connecting.ts";
import { noTelegram } from "./connect-telegram.ts";
import { noWordPress } from "./connect-wordpress.ts";
import { connectionName } from "./place-name.ts";

export const beginCheck = action("connection:{id}:check", {
  to: ["flow:ConnectionCheck"],
  async act({ id }, visit) {
    const connection = await ifFound(() => readConnection(visit.sql, whoseOf(visit), id));
    return connection && { data: { connectionId: id, projectId: connection.project_id } };
  },
});

/** Asks the platform whether it would take a post. */
export const checkFlow = flow({
  name: "ConnectionCheck",
  title: both((t) => t.connections.check.title),
  data: z.object({ connectionId: z.int(), projectId: z.int() }),
  empty: { connectionId: 0, projectId: 0 },
  first: "checking",
  rivals: "replace",
  inactivity,
  states: {
    checking: {
      ask: both((t) => t.connections.checking),
      to: ["screen:connection:{id}:card", "screen:project:{id}:connections"],
      async work({ data, services, language, ...work }) {
        const { connectionId: id, projectId } = data;
        const found = await ifFound(() => checkConnection(services, whoseOf(work), id));
        if (!found) return { to: `screen:project:${projectId}:connections` };
        const say = texts[language].connections.check;
        return { to: `screen:connection:${id}:card`, notice: found.ok ? say.ok : say.wrong(found[language]) };
      },
      failed: { to: "screen:dashboard", text: both((t) => t.connections.check.failed) },
    },
  },
});

export const beginReconnecting = action("connection:{id}:reconnect", {
  to: Object.values(connectFlows),
  async act({ id }, visit) {
    const connection = await ifFound(() => readConnection(visit.sql, whoseOf(visit), id));
    if (!connection) return undefined;
    const { platform_type: platform, project_id: projectId } = connection;
    return {
      to: connectFlows[platform],
      ...reconnecting(connection),
      data: { ...reconnecting(connection).data, projectId, connectionId: id },
    };
  },
});

/** The place stays: only the account is asked for. */
function reconnecting({ platform_type, identifier }: SeoConnection) {
  if (platform_type === "wordpress")
    return { state: "login", data: { wordpress: { ...noWordPress.wordpress, site: siteUrlOf(identifier) } } };
  if (platform_type === "telegram")
    return { state: "token", data: { telegram: { ...noTelegram.telegram, channel: identifier } } };
  return { data: {} };
}

export const removeAsked = screen("connection:{id}:delete", {
  to: ["connection:{id}:delete:yes", "connection:{id}:card"],
  async show({ id }, visit) {
    const whose = whoseOf(visit);
    const connection = await ifFound(() => readConnection(visit.sql, whose, id));
    if (!connection) return undefined;
    const { connections, common, removal } = texts[visit.language];
    const [lost] = await visit.sql<[{ schedules: number }]>`
      select count(*)::int as schedules from seo.platform_schedules
      where workspace_id = ${whose.workspaceId} and connection_id = ${id} and enabled`;
    return {
      text: connections.remove.question(connectionName(connection), lost.schedules),
      buttons: [
        [{ label: removal.yes, to: `connection:${id}:delete:yes`, style: "danger" }],
        [{ label: common.cancel, to: `connection:${id}:card` }],
      ],
    };
  },
});

export const removeNow = action("connection:{id}:delete:yes", {
  to: ["flow:Removal"],
  async act({ id }, visit) {
    const connection = await ifFound(() => readConnection(visit.sql, whoseOf(visit), id));
    return (
      connection && { data: { what: "connection", id, next: `project:${connection.project_id}:connections` } }
    );
  },
});
