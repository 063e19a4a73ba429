import { expect, it } from "vitest";
import { loadConfig } from "../kernel/config/index.ts";
import { advisorSettings } from "./environment.ts";

const load = (environment: Record<string, string>) => () =>
  loadConfig({ BOT_BACKEND_TOKEN: "molva-demo-advisor-token", ...environment }, [advisorSettings]);

it("refuses the demo's token, which anybody can read in the documents, except in a demo on loopback", () => {
  expect(load({ MOLVA_HOST: "127.0.0.1" })).not.toThrow();
  expect(load({ MOLVA_ENV: "development" })).toThrow("BOT_BACKEND_TOKEN is the demo's");
  expect(load({ MOLVA_HOST: "0.0.0.0" })).toThrow("BOT_BACKEND_TOKEN is the demo's");
});
