import { type PlatformDefinition, platformDefinitions } from "../../src/platforms/index.ts";
import { board } from "./board/index.ts";

/** What the contract tests run against. */
export const definitions: readonly PlatformDefinition[] = [...platformDefinitions, board];

export const names: readonly string[] = definitions.map(({ name }) => name);
