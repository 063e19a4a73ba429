import type { Config } from "../kernel/config/index.ts";
import { createVariables, type Variables } from "../workspaces/index.ts";

export function variablesOf(
  config: Config,
  environment: Readonly<Record<string, string | undefined>>,
): Variables {
  return createVariables(config.MOLVA_WORKSPACE_VARIABLES, environment);
}
