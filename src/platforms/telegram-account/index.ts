/** People's own Telegram accounts. */
export * from "./contract.ts";
