/** Publishing from people's own Telegram accounts: paced, within daily limits, once each. */
export { demoAccounts } from "./demo/demo-accounts.ts";
export { accounts } from "./module.ts";
export { createSessionStore } from "./sessions/session-store.ts";
export { createAccountWorker } from "./work/account-worker.ts";
export { noGovernor } from "./work/governor-contract.ts";
