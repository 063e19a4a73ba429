import { readSettings } from "../../kernel/config/index.ts";
import type { PlatformDefinition } from "../definition.ts";
import { channelSettings } from "./channel-settings.ts";
import { check } from "./check.ts";
import type { PinterestSettings } from "./client.ts";
import { compile } from "./compile.ts";
import { corrections, edit, remove } from "./correct.ts";
import { credential } from "./credential.ts";
import { find } from "./find.ts";
import { limits } from "./limits.ts";
import { places } from "./places.ts";
import { preview } from "./preview.ts";
import { resolve } from "./resolve.ts";
import { send } from "./send.ts";
import { settings as environmentSettings } from "./settings.ts";
import { target } from "./target.ts";
import { consentOf, refresh } from "./tokens.ts";
import { words } from "./words.ts";

/** The app that the twin knows in the demo and in tests. */
export const twinApp = { id: "molva-demo-app", secret: "molva-demo-pinterest-app-secret" } as const;

/** Boards of Pinterest. Repeats are detected by reading the board back. */
export const pinterest: PlatformDefinition = {
  name: "pinterest",
  limits,
  settings: environmentSettings,
  twin: {
    PINTEREST_API_ROOT: "/pinterest",
    PINTEREST_WEB_ROOT: "/pinterest",
    PINTEREST_APP_ID: twinApp.id,
    PINTEREST_APP_SECRET: twinApp.secret,
  },
  credential,
  target,
  channelSettings,
  words,
  create(environment, { requestTimeoutMs, uploadTimeoutMs }) {
    const read = readSettings(environmentSettings, environment);
    const { PINTEREST_APP_ID: id, PINTEREST_APP_SECRET: secret } = read;
    const settings: PinterestSettings = {
      apiRoot: read.PINTEREST_API_ROOT,
      webRoot: read.PINTEREST_WEB_ROOT,
      ...(id && secret && { app: { id, secret } }),
      ...(requestTimeoutMs !== undefined && { requestTimeoutMs }),
      ...(uploadTimeoutMs !== undefined && { uploadTimeoutMs }),
    };
    return {
      name: "pinterest",
      limits,
      compile,
      preview,
      send: (compiled, context) => send(compiled, { settings, context }),
      find: (compiled, context) => find(compiled, { settings, context }),
      resolve: (context) => resolve({ settings, context }),
      check: (context) => check({ settings, context }),
      refresh: (account, context) => refresh(account, context, settings),
      consent: consentOf(settings),
      places: (account, context) => places(account, context, settings),
      corrections,
      edit: (next, posted, context) => edit(next, posted, { settings, context }),
      remove: (posted, context) => remove(posted, { settings, context }),
    };
  },
};
