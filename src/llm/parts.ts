import { perCore } from "../workspaces/index.ts";
import { createGateway } from "./gateway.ts";
import { providersOf } from "./providers/configured.ts";

/** The gateway of this process. Only one, because it settles calls after their answers. */
export const gatewayOf = perCore((core) => {
  const { sql, clock, log, http, metrics, publicUrl } = core;
  return createGateway({ sql, clock, log, http, metrics, providers: providersOf(core), appUrl: publicUrl });
});
