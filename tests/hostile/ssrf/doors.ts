import { download } from "../../../src/delivery/media/download.ts";
import { sendToWebhook } from "../../../src/delivery/monitor/targets/webhook.ts";
import { pullLimits } from "../../../src/delivery/pull/limits.ts";
import { listSource } from "../../../src/delivery/pull/list-source.ts";
import type { SourceKind } from "../../../src/delivery/pull/source.ts";
import { systemClock } from "../../../src/kernel/clock/index.ts";
import { ConnectError, type GuardedClient, type GuardedSockets } from "../../../src/kernel/outbound/index.ts";
import { readProxy } from "../../../src/platforms/index.ts";
import { transportThrough } from "../../../src/platforms/telegram-account/mtcute/transport.ts";

/** What became of an address: refused before anything was sent, not to be had, or asked. */
export type Verdict = "refused" | "failed" | "asked";

/** What a door asks with; each of its ways out checks the address. */
export interface Reach {
  readonly http: GuardedClient;
  readonly sockets: GuardedSockets;
}

/** A place where an address of a user's comes in and is asked. */
export interface Door {
  /** Tries the address with what the door would be given. */
  knock(url: string, reach: Reach): Promise<Verdict>;
}

/** Every door for web addresses. A new one is a line here and a line in `call-sites.ts`. */
export const webDoors = {
  "a feed": { knock: (url, reach) => list("rss", { url }, undefined, reach) },
  "a JSON API": {
    knock: (url, reach) => list("api", { url, fields: { id: "/id", text: "/text" } }, undefined, reach),
  },
  "the media of a post": {
    async knock(url, { http }) {
      const file = await download(url, { http, maxBytes: 1_000 }, async () => ({ fetched: true as const }));
      if ("fetched" in file || file.message.includes("its server answered")) return "asked";
      return file.message.startsWith("cannot be fetched") ? "refused" : "failed";
    },
  },
  "an alert's webhook": {
    async knock(url, { http }) {
      const delivered = await sendToWebhook(letterTo(url), { guarded: http, clock: systemClock }).catch(
        () => undefined,
      );
      // What is no web address at all does not pass the target's configuration.
      if (!delivered || (!delivered.ok && delivered.error.startsWith("refused"))) return "refused";
      return delivered.ok || delivered.status !== undefined ? "asked" : "failed";
    },
  },
} as const satisfies Record<string, Door>;

/** A table of another database: its address is the source's secret. */
export const databaseDoor: Door = {
  knock: (url, reach) =>
    list(
      "db",
      {
        query: "select 1 as id, now() as at",
        time_column: "at",
        id_column: "id",
        fields: { id: "/id", text: "/id" },
      },
      url,
      reach,
    ),
};

/** The proxy of an account, by which it would reach Telegram. */
export const proxyDoor: Door = {
  async knock(url, { sockets }) {
    const proxy = readProxy(url);
    if (!proxy) return "refused";
    const telegram = { id: 2, ipAddress: "149.154.167.51", port: 443 };
    try {
      (await transportThrough(proxy, sockets).connect(telegram)).close();
      return "asked";
    } catch (error) {
      return error instanceof ConnectError && error.reason === "refused" ? "refused" : "failed";
    }
  },
};

async function list(
  kind: SourceKind,
  config: object,
  secret: string | undefined,
  reach: Reach,
): Promise<Verdict> {
  const source = {
    workspaceId: "0198c0de-0000-7000-8000-000000000001",
    sourceId: "hostile",
    kind,
    config,
    secretRef: secret === undefined ? null : "vault:0198c0de-0000-7000-8000-000000000002",
    endpointId: null,
    cursor: {},
    forgottenUpTo: null,
  };
  const signal = AbortSignal.timeout(5_000);
  const limits = pullLimits.listing;
  const listing = await listSource(source, { ...reach, secret, now: new Date(), limits, signal });
  if (listing.kind !== "failed") return "asked";
  const { code } = listing.failure;
  if (code === "source_refused" || code === "source_config_invalid") return "refused";
  return code === "source_http_error" || code === "source_malformed" ? "asked" : "failed";
}

function letterTo(url: string) {
  return {
    workspaceId: "0198c0de-0000-7000-8000-000000000001",
    workspace: "Газета",
    alertId: "0198c0de-0000-7000-8000-000000000003",
    fingerprint: "0",
    findings: [],
    raisedAt: new Date(0),
    targetId: "0198c0de-0000-7000-8000-000000000004",
    config: { url },
    secret: "whsec_hostile",
    letter: { subject: "", title: "", sections: [], console: "" },
    consoleUrl: "https://molva.example.com",
    isTest: false,
  };
}
