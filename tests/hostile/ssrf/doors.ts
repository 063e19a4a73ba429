import { download } from "../../../src/delivery/media/download.ts";
import { sendToWebhook } from "../../../src/delivery/monitor/targets/webhook.ts";
import { listSource } from "../../../src/delivery/pull/list-source.ts";
import { pullLimits } from "../../../src/delivery/pull/pull-limits.ts";
import type { SourceKind } from "../../../src/delivery/pull/source.ts";
import { checkKeyFile } from "../../../src/delivery/readback/indexnow/key-file.ts";
import { openPage } from "../../../src/delivery/readback/open-page.ts";
import { postWebhook } from "../../../src/delivery/webhooks/post-webhook.ts";
import { systemClock } from "../../../src/kernel/clock/index.ts";
import { ConnectError, type GuardedClient, type GuardedSockets } from "../../../src/kernel/outbound/index.ts";
import { readProxy } from "../../../src/platforms/index.ts";
import { transportThrough } from "../../../src/platforms/telegram-account/mtcute/transport.ts";
import { siteAddress } from "../../../src/platforms/wordpress/address.ts";
import { findSite } from "../../../src/platforms/wordpress/discover.ts";
import { openLikedPage } from "../../../src/seo/styleguide/open-page.ts";

/** What happened to an address: refused before anything was sent, failed, or requested. */
export type Verdict = "refused" | "failed" | "asked";

/** The clients of an entry point; each of them checks the address. */
export interface Reach {
  readonly http: GuardedClient;
  readonly sockets: GuardedSockets;
}

/** A place where a user's address is accepted and requested. */
export interface Door {
  /** Tries the address as the entry point would. */
  knock(url: string, reach: Reach): Promise<Verdict>;
}

/** Every entry point for web addresses. A new one is a line here and a line in `call-sites.ts`. */
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
  "a webhook": {
    async knock(url, { http }) {
      const message = { url, id: "msg_hostile", body: "{}", secrets: ["whsec_aG9zdGlsZQ=="] } as const;
      const { status, error } = await postWebhook(message, { guarded: http, clock: systemClock });
      if (error?.startsWith("refused")) return "refused";
      // A redirect is an answer like any other, and is not followed.
      if (status !== undefined && status >= 300 && status < 400) return "refused";
      return status === undefined ? "failed" : "asked";
    },
  },
  "a published page": {
    async knock(url, { http }) {
      const [first] = await openPage(url, { title: "", html: "", pictures: 0 }, { guarded: http });
      if (first?.code === "refused") return "refused";
      return first?.code === "unreachable" ? "failed" : "asked";
    },
  },
  "a page whose style is liked": {
    async knock(url, { http }) {
      const page = await openLikedPage(http, url);
      if (page.ok || page.reason === "not_html") return "asked";
      return page.reason === "refused" ? "refused" : page.status === undefined ? "failed" : "asked";
    },
  },
  "a site": {
    async knock(url, { http }) {
      const address = siteAddress(url);
      if (address === undefined) return "refused";
      const account = { url: address, login: "anna", password: "abcdEFGH1234ijklMNOP6789" };
      // Nothing but the guarded client may be used.
      const context = {
        http: { request: () => Promise.reject(new Error("asked without a guard")) },
        clock: systemClock,
      };
      const found = await findSite(account, { guarded: http }, context);
      if (found.ok) return "asked";
      const { code } = found.error;
      return ["channel_unavailable", "site_moved"].includes(code) ? "refused" : "failed";
    },
  },
  "the file of a site's key": {
    async knock(url, { http }) {
      const fault = await checkKeyFile({ key: "0123456789abcdef", location: url }, http);
      if (fault?.code !== "key_unreachable") return "asked";
      return fault.message.startsWith("the file is not fetched") ? "refused" : "failed";
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
