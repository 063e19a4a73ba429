import { readSettings } from "../../kernel/config/index.ts";
import type { HttpClient } from "../../kernel/outbound/index.ts";
import type { PlatformDefinition } from "../definition.ts";
import { withToken } from "../token-credential.ts";
import { channelSettings } from "./channel-settings.ts";
import { check } from "./check.ts";
import type { VkSettings } from "./client.ts";
import { compile } from "./compile.ts";
import { corrections, edit, remove } from "./correct.ts";
import { credential } from "./credential.ts";
import { find } from "./find.ts";
import { limits } from "./limits.ts";
import { patient } from "./patient.ts";
import { places } from "./places.ts";
import { preview } from "./preview.ts";
import { resolve } from "./resolve.ts";
import { send } from "./send.ts";
import { settings as environmentSettings } from "./settings.ts";
import { target } from "./target.ts";
import { words } from "./words.ts";

/** Walls of VK communities. VK detects repeats by their guid, and a person's key can read the wall back. */
export const vk: PlatformDefinition = {
  name: "vk",
  limits,
  settings: environmentSettings,
  twin: { VK_API_ROOT: "/vk" },
  credential,
  target,
  channelSettings,
  words,
  create(environment, { requestTimeoutMs, uploadTimeoutMs, pause }) {
    const settings: VkSettings = {
      apiRoot: readSettings(environmentSettings, environment).VK_API_ROOT,
      ...(requestTimeoutMs !== undefined && { requestTimeoutMs }),
      ...(uploadTimeoutMs !== undefined && { uploadTimeoutMs }),
    };
    /** For questions that a person waits for. */
    const unhurried = <Context extends { readonly http: HttpClient }>(context: Context): Context => ({
      ...context,
      http: patient(context.http, pause),
    });
    return {
      name: "vk",
      limits,
      compile,
      preview,
      send: (compiled, context) => send(compiled, withToken(context), settings),
      find: (compiled, context) => find(compiled, withToken(context), settings),
      resolve: (context) => resolve({ settings, context: withToken(unhurried(context)) }),
      check: (context) => check({ settings, context: withToken(unhurried(context)) }),
      places: (account, context) => places(account, unhurried(context), settings),
      corrections: corrections(settings),
      edit: (next, posted, context) => edit(next, posted, { settings, context: withToken(context) }),
      remove: (posted, context) => remove(posted, { settings, context: withToken(context) }),
    };
  },
};
