import { createVariables, type Variables } from "../credentials/variables.ts";

export const noVariables: Variables = createVariables([], {});

/** Every variable of an environment, now and later, for every workspace. */
export function everyVariable(environment: Readonly<Record<string, string | undefined>>): Variables {
  return { isBound: () => true, valueOf: (_workspaceId, name) => environment[name] };
}
