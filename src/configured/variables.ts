import { createVariables, type Variables } from "../delivery/index.ts";
import type { Config } from "../kernel/config/index.ts";

export function variablesOf(
  config: Config,
  environment: Readonly<Record<string, string | undefined>>,
): Variables {
  return createVariables(config.MOLVA_WORKSPACE_VARIABLES, environment);
}
