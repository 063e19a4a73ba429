import type { Config, Environment } from "../kernel/config/index.ts";
import type { HttpClient } from "../kernel/outbound/index.ts";
import { createPlatforms, type Platforms } from "../platforms/index.ts";

/** `environment` names the providers' addresses; see `withTwins`. Who only compiles needs no `guarded` client. */
export function platformsOf(config: Config, environment: Environment, guarded?: HttpClient): Platforms {
  return createPlatforms(environment, {
    requestTimeoutMs: config.MOLVA_SEND_TIMEOUT_SECONDS * 1000,
    ...(guarded && { guarded }),
  });
}
