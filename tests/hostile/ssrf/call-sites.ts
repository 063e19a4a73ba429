import type { webDoors } from "./doors.ts";

/** A file that uses the network belongs to an entry point of this suite, or states whose address it follows. */
type CallSite =
  | { readonly door: keyof typeof webDoors | "a database" | "an account's proxy" }
  | { readonly address: (typeof trusted)[number] };

/** Addresses that no user of the API can choose. */
export const trusted = [
  "set in the server's environment",
  "typed at the command line by whoever runs it",
  "named by the provider in its own answer",
  "the twins' and this server's own",
  "none: it takes a table or a helper from such a package, or has a function of such a name",
] as const;

/** It looks like a network call and is none. */
const nothing: CallSite = {
  address: "none: it takes a table or a helper from such a package, or has a function of such a name",
};

/** Every file of `src/` outside `kernel/outbound` that opens a connection or asks a client to. */
export const callSites: Readonly<Record<string, CallSite>> = {
  "advisorbot/backend/backend-client.ts": { address: "set in the server's environment" },
  "billing/stars/bot-api.ts": { address: "set in the server's environment" },
  "billing/yookassa/client.ts": { address: "set in the server's environment" },
  "billing/yookassa/networks.ts": nothing,
  "billing/yookassa/wiring.ts": { address: "the twins' and this server's own" },
  "cli/commands/demo.ts": { address: "the twins' and this server's own" },
  "cli/commands/doctor.ts": { address: "the twins' and this server's own" },
  "cli/taken-ports.ts": { address: "the twins' and this server's own" },
  "delivery/commands/post.ts": { address: "typed at the command line by whoever runs it" },
  "delivery/demo/play/stage.ts": { address: "the twins' and this server's own" },
  "delivery/demo/play/twins-control.ts": { address: "the twins' and this server's own" },
  "delivery/demo/twin-api.ts": { address: "the twins' and this server's own" },
  "delivery/media/download.ts": { door: "the media of a post" },
  "delivery/media/media-keeper.ts": { door: "the media of a post" },
  "delivery/monitor/targets/email.ts": { address: "set in the server's environment" },
  "delivery/monitor/targets/webhook.ts": { door: "an alert's webhook" },
  "delivery/payloads/payload-store.ts": nothing,
  "delivery/pull/fetch-document.ts": { door: "a feed" },
  "delivery/pull/mapped/list-rows.ts": { door: "a database" },
  "delivery/readback/indexnow/key-file.ts": { door: "the file of a site's key" },
  "delivery/readback/indexnow/tell-search-engines.ts": { address: "set in the server's environment" },
  "delivery/readback/open-page.ts": { door: "a published page" },
  "delivery/webhooks/post-webhook.ts": { door: "a webhook" },
  "dialogs/telegram/client.ts": { address: "set in the server's environment" },
  "dialogs/telegram/download.ts": { address: "set in the server's environment" },
  "http/networks.ts": nothing,
  "http/oidc/provider.ts": { address: "set in the server's environment" },
  "http/openapi.ts": nothing,
  "http/operators/throttle.ts": nothing,
  "kernel/backup/in-words.ts": nothing,
  "kernel/backup/session.ts": { address: "set in the server's environment" },
  "kernel/config/setting.ts": nothing,
  "kernel/db/connect.ts": { address: "set in the server's environment" },
  "kernel/db/function-files.ts": nothing,
  "kernel/db/primary/ask-host.ts": { address: "set in the server's environment" },
  "kernel/db/primary/create-primary.ts": { address: "set in the server's environment" },
  "kernel/db/primary/sockets.ts": { address: "set in the server's environment" },
  "kernel/jobs/create-jobs.ts": { address: "set in the server's environment" },
  "kernel/jobs/cron.ts": nothing,
  "kernel/jobs/worker-connections.ts": { address: "set in the server's environment" },
  "kernel/jobs/worker-log.ts": nothing,
  "kernel/kv/redis-key-value.ts": { address: "set in the server's environment" },
  "kernel/postgres/ask.ts": { address: "the twins' and this server's own" },
  "kernel/postgres/server.ts": { address: "the twins' and this server's own" },
  "kernel/sentry/ping.ts": { address: "set in the server's environment" },
  "kernel/sentry/reports.ts": { address: "set in the server's environment" },
  "kernel/storage/s3-storage.ts": { address: "set in the server's environment" },
  "llm/answer-shapes.ts": nothing,
  "llm/providers/model-of.ts": { address: "set in the server's environment" },
  "llm/providers/ping.ts": { address: "set in the server's environment" },
  "llm/providers/send-picture.ts": { address: "set in the server's environment" },
  "llm/providers/send.ts": { address: "set in the server's environment" },
  "llm/providers/wire.ts": { address: "set in the server's environment" },
  "main.ts": { address: "set in the server's environment" },
  "platforms/max/client.ts": { address: "set in the server's environment" },
  "platforms/max/upload.ts": { address: "named by the provider in its own answer" },
  "platforms/pinterest/client.ts": { address: "set in the server's environment" },
  "platforms/telegram-account/mtcute/chats.ts": nothing,
  "platforms/telegram-account/mtcute/crypto.ts": nothing,
  "platforms/telegram-account/mtcute/entities.ts": nothing,
  "platforms/telegram-account/mtcute/failure.ts": nothing,
  "platforms/telegram-account/mtcute/join.ts": nothing,
  "platforms/telegram-account/mtcute/logins.ts": nothing,
  "platforms/telegram-account/mtcute/send.ts": nothing,
  "platforms/telegram-account/mtcute/session.ts": { door: "an account's proxy" },
  "platforms/telegram-account/mtcute/transport.ts": { door: "an account's proxy" },
  "platforms/telegram-account/twin-driver/rpc.ts": { address: "the twins' and this server's own" },
  "platforms/telegram/client.ts": { address: "set in the server's environment" },
  "platforms/vk/client.ts": { address: "set in the server's environment" },
  "platforms/vk/upload.ts": { address: "named by the provider in its own answer" },
  "platforms/wordpress/client.ts": { door: "a site" },
  "platforms/wordpress/discover.ts": { door: "a site" },
  "seo/styleguide/open-page.ts": { door: "a page whose style is liked" },
  "seo/bot/connections/site-answers.ts": { door: "a site" },
  "seo/import/source.ts": { address: "set in the server's environment" },
  "seo/qstash/client.ts": { address: "set in the server's environment" },
  "seo/sources/request.ts": { address: "set in the server's environment" },
  "telegraph/call.ts": { address: "set in the server's environment" },
  "terminal/database.ts": { address: "set in the server's environment" },
  "terminal/running-twins.ts": { address: "the twins' and this server's own" },
};

/** Signs that a file uses the network. */
export const signs: readonly RegExp[] = [
  /(?<![.\w])(?<!function )fetch\(/,
  /\.request\(\{/,
  /\bconnect\(\{/,
  /\bcreateConnection\(/,
  // A type of such a package opens nothing.
  /(?:^import (?!type )[^;]*from |\bimport\()"(?:node:(?:net|tls|https?|http2|dgram)|undici|ioredis|nodemailer|postgres|pg|graphile-worker|aws4fetch|grammy|ai|ws|@ai-sdk\/[^"]+|@openrouter\/[^"]+|@mtcute\/[^"]+)"/m,
];
