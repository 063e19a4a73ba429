/** Creates the shared parts from the configuration: addresses, clients, keys. For the server and the command line. */
export { publicUrlOf } from "./addresses.ts";
export { createCore } from "./create-core.ts";
export { type Network, networkOf } from "./network.ts";
export { oidcOf } from "./oidc.ts";
export { type OpenedLog, openLog } from "./open-log.ts";
export { platformsOf } from "./platforms.ts";
export { storageOf } from "./storage.ts";
export { variablesOf } from "./variables.ts";
export { openVault } from "./vault.ts";
