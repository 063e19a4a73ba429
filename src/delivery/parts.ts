import { settingsOf } from "../kernel/config/index.ts";
import { perCore } from "../workspaces/index.ts";
import { deliverySettings, indexNowRootOf, leasesOf } from "./environment.ts";
import { createMedia } from "./media/create-media.ts";
import { createMailer } from "./monitor/targets/email.ts";
import { createPayloadStore } from "./payloads/payload-store.ts";

/** The dependencies of sending, created once per core: products also send files and store payloads through them. */
export const deliveryParts = perCore((core) => {
  const settings = settingsOf(core, deliverySettings);
  const { sql, clock, log, platforms, http, guarded, credentials, storage, vault } = core;
  const { MOLVA_SMTP_URL: smtpUrl, MOLVA_SMTP_FROM: from } = settings;
  const payloads = createPayloadStore({ sql, storage, vault, clock });
  const fetching = {
    ...{ sql, clock, storage, log, http: guarded },
    maxBytes: settings.MOLVA_MEDIA_MAX_MB * 1024 * 1024,
  };
  const media = createMedia(fetching);
  return {
    payloads,
    media,
    /** Fetches the files that posts name by address. */
    fetching,
    leases: leasesOf(core),
    sending: {
      ...{ sql, clock, log, platforms, http, credentials, payloads, media },
      sendingLeaseSeconds: settings.MOLVA_SENDING_LEASE_SECONDS,
    },
    /** Reads pull sources. */
    pulling: { sql, clock, log, platforms, credentials, http: guarded, sockets: core.sockets },
    /** Reads published pages, and tells search engines of them. */
    readingBack: {
      ...{ sql, clock, log, platforms, http, guarded },
      indexNowRoot: indexNowRootOf(core),
    },
    /** Tells others of events. */
    webhooks: {
      sql,
      clock,
      log,
      guarded,
      credentials,
      vault,
      httpsOnly: core.config.MOLVA_ENV === "production",
    },
    /** Asks messengers about chats. */
    messengers: { sql, clock, platforms, credentials, providers: http },
    monitoring: {
      ...{ sql, clock, log, platforms, http, guarded, credentials },
      mailer: smtpUrl ? createMailer({ url: smtpUrl, from }) : undefined,
      publicUrl: core.publicUrl,
      sendingLeaseSeconds: settings.MOLVA_SENDING_LEASE_SECONDS,
      claimedLeaseSeconds: settings.MOLVA_CLAIMED_LEASE_SECONDS,
    },
  };
});
