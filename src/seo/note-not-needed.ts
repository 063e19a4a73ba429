import type { Service } from "../kernel/service/index.ts";
import type { Core } from "../workspaces/index.ts";
import { notNeededIn } from "./document-variables.ts";

/** Says at the start which variables of the document are set although nothing reads them. */
export function noteNotNeeded({ environment, log }: Pick<Core, "environment" | "log">): Service {
  return {
    name: "variables of the document",
    async start() {
      for (const { name, instead } of notNeededIn(environment))
        log.info({ variable: name }, `${name} is set but not needed: ${instead.en}`);
    },
    stop: async () => {},
  };
}
