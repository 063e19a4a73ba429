import { expect, it } from "vitest";
import { loadConfig } from "../kernel/config/index.ts";
import { environmentOfTwins } from "./twins.ts";

it("twins get what a process needs to run and no secret of the server", () => {
  const config = loadConfig({ MOLVA_TWIN_PORT: "8091", MOLVA_HOST: "0.0.0.0" });
  const own = {
    PATH: "/usr/bin",
    HOME: "/home/me",
    DATABASE_URL: "postgres://db/molva",
    MOLVA_ENCRYPTION_KEYS: "key",
    OPENAI_API_KEY: "key",
    TELEGRAM_BOT_TOKEN: "token",
    NODE_OPTIONS: "--inspect",
    MOLVA_HOST: "0.0.0.0",
  };
  expect(environmentOfTwins(config, own)).toEqual({
    PATH: "/usr/bin",
    HOME: "/home/me",
    MOLVA_TWIN_PORT: "8091",
  });
});
