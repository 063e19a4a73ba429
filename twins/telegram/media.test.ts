import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  botToken,
  channelId,
  otherToken,
  png,
  pngFile,
  startTelegram,
  type TestTelegram,
} from "./testing.ts";

interface PhotoMessage {
  message_id: number;
  caption?: string;
  photo: { file_id: string; file_unique_id: string; width: number; height: number; file_size: number }[];
  media_group_id?: string;
  document?: { file_id: string; file_name: string };
}

const served: Record<string, { type: string; body: Uint8Array }> = {
  "/photo.png": { type: "image/png", body: png(800, 600) },
  "/huge.png": { type: "image/png", body: png(800, 600, 5 * 1024 * 1024 + 1) },
  "/page.html": { type: "text/html", body: Buffer.from("<html>") },
  "/fake.png": { type: "image/png", body: Buffer.from("not an image") },
  "/price.pdf": { type: "application/pdf", body: Buffer.from("%PDF") },
  "/notes.txt": { type: "text/plain", body: Buffer.from("a") },
};

let telegram: TestTelegram;
let site: Server;
let siteUrl: string;

beforeAll(async () => {
  telegram = await startTelegram();
  site = createServer((request, response) => {
    const file = served[request.url ?? ""];
    response.writeHead(file ? 200 : 404, { "content-type": file?.type ?? "text/plain" }).end(file?.body);
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await telegram.close();
  site.close();
});

const refused = (reason: string) => ({ ok: false, error_code: 400, description: `Bad Request: ${reason}` });
const chat_id = channelId;
const chat = String(channelId);

describe("photos", () => {
  test("an uploaded photo comes back in several sizes, the last one its own", async () => {
    const { result } = await telegram.upload<PhotoMessage>("sendPhoto", {
      chat_id: chat,
      photo: pngFile(1600, 800),
      caption: "<i>Осень</i>",
      parse_mode: "HTML",
    });
    expect(result.caption).toBe("Осень");
    expect(result.photo.map(({ width, height }) => [width, height])).toEqual([
      [90, 45],
      [320, 160],
      [800, 400],
      [1280, 640],
      [1600, 800],
    ]);
  });

  test("a file id is the same every time, sends the file again, and means nothing to another bot", async () => {
    const first = await telegram.upload<PhotoMessage>("sendPhoto", {
      chat_id: chat,
      photo: pngFile(100, 100),
    });
    const fileId = first.result.photo.at(-1)?.file_id ?? "";
    const again = await telegram.call<PhotoMessage>("sendPhoto", { chat_id, photo: fileId });
    expect(again.result.photo.at(-1)?.file_id).toBe(fileId);

    const member = { bot: "other_bot", status: "administrator" };
    await telegram.twins.control("PATCH", `/telegram/chats/${channelId}`, { members: [member] });
    const stolen = await telegram.call("sendPhoto", { chat_id, photo: fileId }, otherToken);
    expect(stolen).toEqual(refused("wrong file identifier/HTTP URL specified"));
    const asDocument = await telegram.call("sendDocument", { chat_id, document: fileId });
    expect(asDocument).toEqual(refused("can't use file of type Photo as Document"));
  });

  test("a photo is fetched from an address, loopback too", async () => {
    const { result } = await telegram.call<PhotoMessage>("sendPhoto", {
      chat_id,
      photo: `${siteUrl}/photo.png`,
    });
    expect(result.photo.at(-1)).toMatchObject({ width: 800, height: 600 });
  });

  test.each([
    ["/missing.png", "failed to get HTTP URL content"],
    ["/huge.png", "failed to get HTTP URL content"],
    ["/page.html", "wrong type of the web page content"],
    ["/fake.png", "wrong type of the web page content"],
  ])("the address %s is refused", async (path, reason) => {
    expect(await telegram.call("sendPhoto", { chat_id, photo: siteUrl + path })).toEqual(refused(reason));
  });

  test("a server that cannot be reached is refused", async () => {
    const answer = await telegram.call("sendPhoto", { chat_id, photo: "http://127.0.0.1:1/a.png" });
    expect(answer).toEqual(refused("failed to get HTTP URL content"));
  });

  test.each([
    [pngFile(9_000, 1_001), "PHOTO_INVALID_DIMENSIONS"],
    [pngFile(2_100, 100), "PHOTO_INVALID_DIMENSIONS"],
    [pngFile(100, 100, 10 * 1024 * 1024 + 1), "file is too big"],
    [new File(["text"], "a.png", { type: "image/png" }), "IMAGE_PROCESS_FAILED"],
    [new File([], "a.png"), "file must be non-empty"],
  ])("an upload that is no fit photo is refused: %o", async (photo, reason) => {
    expect(await telegram.upload("sendPhoto", { chat_id: chat, photo })).toEqual(refused(reason));
  });

  test.each([
    [{}, "there is no photo in the request"],
    [{ photo: "abc" }, "wrong file identifier/HTTP URL specified"],
    [{ photo: "attach://nothing" }, "wrong file identifier/HTTP URL specified"],
    [{ photo: "abc", caption: "a".repeat(1025) }, "message caption is too long"],
  ])("%j is refused", async (fields, reason) => {
    expect(await telegram.call("sendPhoto", { chat_id, ...fields })).toEqual(refused(reason));
  });
});

describe("other files", () => {
  test("a document keeps its name and can be fetched back by its path", async () => {
    const { result } = await telegram.upload<PhotoMessage>("sendDocument", {
      chat_id: chat,
      document: new File(["прайс"], "прайс.txt", { type: "text/plain" }),
    });
    expect(result.document?.file_name).toBe("прайс.txt");
    const { result: file } = await telegram.call<{ file_path: string }>("getFile", {
      file_id: result.document?.file_id,
    });
    const response = await fetch(`${telegram.twins.url}/telegram/file/bot${botToken}/${file.file_path}`);
    expect(await response.text()).toBe("прайс");
    expect((await fetch(`${telegram.twins.url}/telegram/file/bot${botToken}/documents/no.txt`)).status).toBe(
      404,
    );
    expect(await telegram.call("getFile", { file_id: "abc" })).toEqual(refused("invalid file_id"));
  });

  test("by address only pdf, zip and gif are documents", async () => {
    const pdf = await telegram.call("sendDocument", { chat_id, document: `${siteUrl}/price.pdf` });
    expect(pdf.ok).toBe(true);
    const txt = await telegram.call("sendDocument", { chat_id, document: `${siteUrl}/notes.txt` });
    expect(txt).toEqual(refused("wrong type of the web page content"));
  });

  test("an animation carries a document copy, a video its size and length", async () => {
    const gif = Buffer.from("GIF89a\x40\x01\xf0\x00\x00\x00", "latin1");
    const animation = new File([gif], "a.gif", { type: "image/gif" });
    const { result } = await telegram.upload("sendAnimation", { chat_id: chat, animation });
    expect(result).toMatchObject({
      animation: { width: 320, height: 240 },
      document: { file_name: "a.gif" },
    });
    const video = new File(["video"], "a.mp4", { type: "video/mp4" });
    const sent = await telegram.upload("sendVideo", {
      chat_id: chat,
      video,
      width: "640",
      height: "360",
      duration: "5",
    });
    expect(sent.result.video).toMatchObject({ width: 640, height: 360, duration: 5, mime_type: "video/mp4" });
  });

  test("an upload above 50 MB is too large", async () => {
    const document = new File([new Uint8Array(50 * 1024 * 1024 + 1)], "big.bin");
    expect(await telegram.upload("sendDocument", { chat_id: chat, document })).toEqual({
      ok: false,
      error_code: 413,
      description: "Request Entity Too Large",
    });
  });
});

describe("albums", () => {
  const item = (type = "photo", extra = {}) => ({ type, media: `${siteUrl}/photo.png`, ...extra });

  test("items share a group id, follow one another and mix addresses with uploads", async () => {
    const { result } = await telegram.upload<PhotoMessage[]>("sendMediaGroup", {
      chat_id: chat,
      media: JSON.stringify([
        item("photo", { caption: "*Три*", parse_mode: "MarkdownV2" }),
        { type: "photo", media: "attach://second" },
      ]),
      second: pngFile(300, 200),
    });
    expect(result).toHaveLength(2);
    const [first, second] = result;
    expect(first?.caption).toBe("Три");
    expect(first?.media_group_id).toEqual(expect.any(String));
    expect(second?.media_group_id).toBe(first?.media_group_id);
    expect(second?.message_id).toBe((first?.message_id ?? 0) + 1);
  });

  test("a single item goes through as a plain message", async () => {
    const { result } = await telegram.call<PhotoMessage[]>("sendMediaGroup", { chat_id, media: [item()] });
    expect(result).toHaveLength(1);
    expect(result[0]?.media_group_id).toBeUndefined();
  });

  test.each([
    [() => Array.from({ length: 11 }, () => item()), "too many messages to send as an album"],
    [() => [], "there are no messages to send"],
    [() => "a", "can't parse media JSON object"],
    [() => ({}), "expected an Array of InputMedia"],
    [() => [item(), item("document")], "document can't be mixed with other media types"],
    [() => [item("audio"), item()], "audio can't be mixed with other media types"],
    [
      () => [item(), item("animation")],
      "can't parse InputMedia: type \"animation\" can't be used in sendMediaGroup",
    ],
    [() => [item(), { type: "photo" }], "can't parse InputMedia: Can't find field \"media\""],
    [() => [item(), { type: "photo", media: `${siteUrl}/missing.png` }], "group send failed"],
    [() => [item(), item("photo", { caption: "a".repeat(1025) })], "message caption is too long"],
  ])("the album %s is refused as a whole", async (media, reason) => {
    const before = await telegram.twins.control<{ messages: unknown[] }>(
      "GET",
      `/chats/telegram/${channelId}/messages?limit=500`,
    );
    expect(await telegram.call("sendMediaGroup", { chat_id, media: media() })).toEqual(refused(reason));
    const after = await telegram.twins.control<{ messages: unknown[] }>(
      "GET",
      `/chats/telegram/${channelId}/messages?limit=500`,
    );
    expect(after.messages).toHaveLength(before.messages.length);
  });
});
