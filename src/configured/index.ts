/** What the configuration makes of each part: addresses, clients, keys. The server and the command line both begin here. */
export { accountDriverOf, accountTwinOf } from "./account-driver.ts";
export { allowedHosts, apiRootOf, publicUrlOf, secureUrlOf } from "./addresses.ts";
export { advisorSettingsOf } from "./advisor.ts";
export { bindSecrets } from "./bind-secrets.ts";
export { llmProvidersOf } from "./llm-providers.ts";
export { mailerOf } from "./mailer.ts";
export { type Network, networkOf } from "./network.ts";
export { maxBotOf, platformsOf } from "./platforms.ts";
export { storageOf } from "./storage.ts";
export { variablesOf } from "./variables.ts";
export { openVault } from "./vault.ts";
