import type { TwinsSettings } from "../server.ts";
import { startTestTwins, type TestTwins } from "../shared/testing.ts";
import { pngOf } from "../shared/testing-image.ts";

/** An answer of VK. Tests assert the shape of its body. */
type Body = ReturnType<typeof JSON.parse>;

export interface TestVk extends TestTwins {
  /** A call with the editor's key, or with another; the whole envelope. */
  call(method: string, params?: Record<string, string | number>, token?: string): Promise<Body>;
  /** The result of a call; throws if it is refused. */
  ask(method: string, params?: Record<string, string | number>, token?: string): Promise<Body>;
  /** The number and text of a refusal. */
  refused(method: string, params?: Record<string, string | number>, token?: string): Promise<string>;
  /** Posts for the shop, as the shop. */
  post(params: Record<string, string | number>, token?: string): Promise<number>;
  upload(url: string, bytes: Uint8Array, name?: string, field?: string): Promise<Body>;
  /** A photo that went through all three upload steps, ready to be attached. */
  photo(bytes?: Uint8Array): Promise<string>;
  posts(): Promise<Body[]>;
}

export const shop = 101;
export const rival = 102;
export const editor = 5;
export const moderator = 6;
export const reader = 7;

/** Keys by owner. */
export const keys = {
  editor: "vk1.a.editor",
  moderator: "vk1.a.moderator",
  reader: "vk1.a.reader",
  community: "vk1.a.community",
  vkid: "vk2.a.editor",
} as const;

/** A public page with an editor and a moderator, a stranger, another page, and a key of every kind. */
export async function startTestVk(settings: Partial<TwinsSettings> = {}): Promise<TestVk> {
  const twins = await startTestTwins(settings);
  const people = [
    [editor, "Анна", "Смирнова"],
    [moderator, "Олег", "Панин"],
    [reader, "Ира", "Котова"],
  ] as const;
  for (const [id, first_name, last_name] of people) {
    await twins.control("POST", "/vk/users", { id, first_name, last_name });
  }
  await twins.control("POST", "/vk/groups", {
    id: shop,
    name: "Лавка чая",
    screen_name: "tea_shop",
    managers: [
      { user_id: editor, role: "administrator" },
      { user_id: moderator, role: "moderator" },
    ],
  });
  await twins.control("POST", "/vk/groups", { id: rival, name: "Кофе", screen_name: "coffee" });
  for (const [token, user_id] of [
    [keys.editor, editor],
    [keys.moderator, moderator],
    [keys.reader, reader],
  ] as const) {
    await twins.control("POST", "/vk/tokens", { token, kind: "user", user_id });
  }
  await twins.control("POST", "/vk/tokens", { token: keys.community, kind: "community", group_id: shop });
  await twins.control("POST", "/vk/tokens", { token: keys.vkid, kind: "vkid", user_id: editor });

  const call: TestVk["call"] = async (method, params = {}, token = keys.editor) => {
    const all = Object.entries({ v: "5.199", access_token: token, ...params });
    const response = await fetch(`${twins.url}/vk/method/${method}`, {
      method: "POST",
      body: new URLSearchParams(Object.fromEntries(all.map(([name, value]) => [name, String(value)]))),
    });
    if (response.status !== 200) throw new Error(`${method}: status ${response.status}`);
    return response.json();
  };
  const ask: TestVk["ask"] = async (method, params, token) => {
    const { response, error } = await call(method, params, token);
    if (error) throw new Error(`${method}: ${error.error_code} ${error.error_msg}`);
    return response;
  };
  const upload: TestVk["upload"] = async (url, bytes, name = "a.png", field = "photo") => {
    const form = new FormData();
    form.append(field, new Blob([Uint8Array.from(bytes)]), name);
    return (await fetch(url, { method: "POST", body: form })).json();
  };

  return {
    ...twins,
    call,
    ask,
    upload,
    async refused(method, params, token) {
      const { error } = await call(method, params, token);
      if (!error) throw new Error(`${method} was not refused`);
      return `${error.error_code} ${error.error_msg}`;
    },
    async post(params, token) {
      const all = { owner_id: -shop, from_group: 1, ...params };
      return (await ask("wall.post", all, token)).post_id;
    },
    async photo(bytes = pngOf(600, 400)) {
      const { upload_url } = await ask("photos.getWallUploadServer", { group_id: shop });
      const received = await upload(upload_url, bytes);
      const [photo] = await ask("photos.saveWallPhoto", { group_id: shop, ...received });
      return `photo${photo.owner_id}_${photo.id}`;
    },
    posts: async () => (await twins.control<{ posts: Body[] }>("GET", `/vk/groups/${shop}/posts`)).posts,
  };
}
