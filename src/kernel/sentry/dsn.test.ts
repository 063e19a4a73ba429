import { expect, it } from "vitest";
import { loadConfig } from "../config/index.ts";
import { readDsn } from "./index.ts";

it.each([
  ["https://abc@o1.ingest.sentry.io/42", "https://o1.ingest.sentry.io/api/42/envelope/"],
  ["https://abc:old@sentry.example.com/42", "https://sentry.example.com/api/42/envelope/"],
  ["http://abc@127.0.0.1:8090/sentry/1", "http://127.0.0.1:8090/sentry/api/1/envelope/"],
])("finds the address of %s", (text, envelopeUrl) => {
  expect(readDsn(text)).toMatchObject({ envelopeUrl, publicKey: "abc" });
});

it.each([
  "sentry",
  "https://sentry.io/42",
  "https://abc@sentry.io/",
  "https://abc@sentry.io/shop",
  "ftp://abc@sentry.io/1",
  "https://abc@sentry.io/1?x=1",
])("refuses %s at the start, and names the variable but not its value", (text) => {
  expect(() => loadConfig({ SENTRY_DSN: text })).toThrow(
    /SENTRY_DSN must be a DSN as Sentry shows it .*number$/,
  );
});
