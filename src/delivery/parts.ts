import { perCore } from "../workspaces/index.ts";
import { createMedia } from "./media/create-media.ts";
import { createMailer } from "./monitor/targets/email.ts";
import { createPayloadStore } from "./payloads/payload-store.ts";

/** What sending needs, made once: products send files and keep payloads through it, too. */
export const deliveryParts = perCore((core) => {
  const { config, sql, clock, log, platforms, http, guarded, credentials, storage, vault } = core;
  const { MOLVA_SMTP_URL: smtpUrl, MOLVA_SMTP_FROM: from } = config;
  const payloads = createPayloadStore({ sql, storage, vault, clock });
  const fetching = {
    ...{ sql, clock, storage, log, http: guarded },
    maxBytes: config.MOLVA_MEDIA_MAX_MB * 1024 * 1024,
  };
  const media = createMedia(fetching);
  return {
    payloads,
    media,
    /** How files that posts name by address are fetched. */
    fetching,
    leases: {
      sendingSeconds: config.MOLVA_SENDING_LEASE_SECONDS,
      claimedSeconds: config.MOLVA_CLAIMED_LEASE_SECONDS,
    },
    sending: {
      ...{ sql, clock, log, platforms, http, credentials, payloads, media },
      sendingLeaseSeconds: config.MOLVA_SENDING_LEASE_SECONDS,
    },
    /** How sources are asked. */
    pulling: { sql, clock, log, platforms, credentials, http: guarded, sockets: core.sockets },
    /** How a messenger is asked about a chat. */
    messengers: { sql, clock, platforms, credentials, providers: http },
    monitoring: {
      ...{ sql, clock, log, platforms, http, guarded, credentials },
      mailer: smtpUrl ? createMailer({ url: smtpUrl, from }) : undefined,
      publicUrl: core.publicUrl,
      sendingLeaseSeconds: config.MOLVA_SENDING_LEASE_SECONDS,
      claimedLeaseSeconds: config.MOLVA_CLAIMED_LEASE_SECONDS,
    },
  };
});
