/** What the configuration makes of each part: addresses, clients, keys. The server and the command line both begin here. */
export { allowedHosts, apiRootsOf, publicUrlOf } from "./addresses.ts";
export { createCore } from "./create-core.ts";
export { type Network, networkOf } from "./network.ts";
export { platformsOf } from "./platforms.ts";
export { storageOf } from "./storage.ts";
export { variablesOf } from "./variables.ts";
export { openVault } from "./vault.ts";
