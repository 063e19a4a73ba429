import { expect, it } from "vitest";
import { allSettings, loadConfig } from "../kernel/config/index.ts";
import { generateKey } from "../kernel/crypto/index.ts";
import { settingsOfModules } from "../modules.ts";
import { documentVariables, notNeeded, notNeededIn, renamed } from "./document-variables.ts";

const settings = new Map(allSettings(settingsOfModules()));

it.each(documentVariables)(
  "%s is read under its own name or another one, or is said not to be needed",
  (name) => {
    const other = renamed[name];
    const ways = [settings.has(name), other !== undefined, Object.hasOwn(notNeeded, name)];
    expect(ways.filter(Boolean)).toHaveLength(1);
    if (other !== undefined) expect(settings.get(other)?.alias).toBe(name);
  },
);

it("takes the public address and the key under the document's names", () => {
  const key = generateKey();
  const environment = { RAILWAY_PUBLIC_URL: "https://seo.example/", ENCRYPTION_KEY: key };
  expect(loadConfig(environment, settingsOfModules())).toMatchObject({
    ...{ MOLVA_PUBLIC_URL: "https://seo.example", MOLVA_ENCRYPTION_KEYS: [key] },
  });
  const keys = `${key},${generateKey()}`;
  expect(loadConfig({ ENCRYPTION_KEY: key, MOLVA_ENCRYPTION_KEYS: keys }).MOLVA_ENCRYPTION_KEYS).toHaveLength(
    2,
  );
  const clash = { ENCRYPTION_KEY: generateKey(), MOLVA_ENCRYPTION_KEYS: keys };
  expect(() => loadConfig(clash)).toThrow(/ENCRYPTION_KEY is another name of MOLVA_ENCRYPTION_KEYS/);
  expect(() => loadConfig(clash)).not.toThrow(new RegExp(key));
});

it("has the document's defaults", () => {
  expect(loadConfig({}, settingsOfModules())).toMatchObject({
    ...{ DEFAULT_TIMEZONE: "Europe/Moscow", FSM_TTL_SECONDS: 86_400, FSM_INACTIVITY_TIMEOUT: 1_800 },
    ...{ PREVIEW_TTL_SECONDS: 86_400, MAX_REGENERATIONS_FREE: 2, USD_RUB_RATE: 92.5 },
  });
});

it("names what is set without use, and what there is instead", () => {
  const found = notNeededIn({
    SUPABASE_URL: "https://x.supabase.co",
    UPSTASH_REDIS_TOKEN: " ",
    SERPER_API_KEY: "k",
  });
  expect(found.map(({ name }) => name)).toEqual(["SUPABASE_URL"]);
  expect(found[0]?.instead.en).toContain("DATABASE_URL");
});
