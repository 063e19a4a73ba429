import { expect, it } from "vitest";
import { ConfigError, readSettings } from "../kernel/config/index.ts";
import { max } from "./max/index.ts";
import { settings as maxSettings } from "./max/settings.ts";
import { createPlatforms, platformDefinitions, platformSettings, withTwins } from "./registry.ts";

function faultsOf(environment: Record<string, string>): readonly string[] {
  try {
    createPlatforms(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.errors;
    throw error;
  }
}

it("needs nothing to be set", () => {
  expect(readSettings(maxSettings, {}).MAX_API_ROOT).toBe("https://platform-api2.max.ru");
  expect(createPlatforms({}).all.map(({ name }) => name)).toEqual(
    platformDefinitions.map(({ name }) => name),
  );
});

it("puts the twins in the place of providers whose address was not set", () => {
  const environment = withTwins({ MAX_API_ROOT: "https://max.example" }, "http://127.0.0.1:8090");
  expect(environment).toMatchObject({
    TELEGRAM_API_ROOT: "http://127.0.0.1:8090/telegram",
    MAX_API_ROOT: "https://max.example",
  });
  expect(withTwins({}, undefined)).toEqual({});
  // The twin's value applies unless it was set, also by a file.
  expect(withTwins({}, "http://twins").PINTEREST_APP_ID).toBe("molva-demo-app");
  const own = withTwins({ PINTEREST_APP_SECRET_FILE: "/run/secrets/pinterest" }, "http://twins");
  expect(own.PINTEREST_APP_SECRET).toBeUndefined();
});

it("has a setting behind every address that a twin takes over", () => {
  for (const { settings, twin } of platformDefinitions)
    for (const name of Object.keys(twin)) expect(settings).toHaveProperty(name);
  expect(platformSettings).toHaveProperty("TELEGRAM_API_ROOT");
});

it("takes an upload policy by kind of file, and refuses what MAX cannot do", () => {
  const given = { MAX_UPLOAD_POLICY: "image=url_allowed, video=upload_required" };
  expect(readSettings(maxSettings, given).MAX_UPLOAD_POLICY).toEqual({
    image: "url_allowed",
    video: "upload_required",
    audio: "upload_required",
    file: "upload_required",
  });
  expect(faultsOf({ MAX_UPLOAD_POLICY: "video=url_allowed" })).toEqual([
    expect.stringContaining("MAX fetches only images by itself"),
  ]);
  expect(faultsOf({ MAX_UPLOAD_POLICY: "photo=url_allowed" })).toEqual([
    expect.stringContaining("must be pairs such as image=url_allowed"),
  ]);
});

it("says which platform is not there", () => {
  const { platformOf, has } = createPlatforms({}, {}, [max]);
  expect(has("telegram")).toBe(false);
  expect(() => platformOf("telegram")).toThrow("there is no platform named telegram");
});
