import { definitionOf, type PlatformDefinition } from "../../src/platforms/index.ts";

/** In the place of `tests/contract/platforms.ts`: the one platform that a real server can be had of. */
export const definitions: readonly PlatformDefinition[] = [definitionOf("wordpress")];

export const names: readonly string[] = ["wordpress"];
