import type { TwinsSettings } from "../server.ts";
import { startTestTwins, type TestTwins } from "../shared/testing.ts";

/** An answer of a site. Tests assert the shape of its body. */
export interface SiteAnswer {
  readonly status: number;
  readonly body: ReturnType<typeof JSON.parse>;
  readonly headers: Headers;
}

export interface TestWordPress extends TestTwins {
  readonly home: string;
  /**
   * A call of the site `shop`, as its administrator unless another login is named; `null` means without credentials.
   */
  api(method: string, path: string, body?: unknown, as?: string | null): Promise<SiteAnswer>;
  upload(bytes: Uint8Array, name: string, headers?: Record<string, string>): Promise<SiteAnswer>;
  change(options: Record<string, unknown>): Promise<unknown>;
}

export const password = "abcd EFGH 1234 ijkl MNOP 6789";
export const basic = (login: string, given = password) =>
  `Basic ${Buffer.from(`${login}:${given}`).toString("base64")}`;

/** Twins with one site that has a user for every role, all with the same application password. */
export async function startTestWordPress(settings: Partial<TwinsSettings> = {}): Promise<TestWordPress> {
  const twins = await startTestTwins(settings);
  const users = ["administrator", "editor", "author", "contributor", "subscriber"].map((role) => ({
    login: role === "administrator" ? "admin" : role,
    role,
    passwords: [password],
  }));
  await twins.control("POST", "/wordpress/sites", { name: "shop", title: "Уютный дом", users });
  const home = `${twins.url}/wordpress/shop`;
  const send = async (path: string, init: RequestInit): Promise<SiteAnswer> => {
    const response = await fetch(`${home}${path}`, { redirect: "manual", ...init });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json");
    return { status: response.status, body: isJson ? JSON.parse(text) : text, headers: response.headers };
  };
  return {
    ...twins,
    home,
    api: (method, path, body, as = "admin") =>
      send(path.startsWith("/") ? path : `/wp-json/wp/v2/${path}`, {
        method,
        headers: {
          ...(as !== null && { authorization: basic(as) }),
          ...(body !== undefined && { "content-type": "application/json" }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    upload: (bytes, name, headers = {}) =>
      send("/wp-json/wp/v2/media", {
        method: "POST",
        headers: {
          authorization: basic("admin"),
          "content-type": "image/png",
          "content-disposition": `attachment; filename="${name}"`,
          ...headers,
        },
        body: new Uint8Array(bytes),
      }),
    change: (options) => twins.control("PATCH", "/wordpress/sites/shop", options),
  };
}

/** A PNG header of this size; pixels are never read. */
export function pngOf(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(33);
  bytes.write("\x89PNG\r\n\x1a\n", "latin1");
  bytes.writeUInt32BE(13, 8);
  bytes.write("IHDR", 12, "latin1");
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}
