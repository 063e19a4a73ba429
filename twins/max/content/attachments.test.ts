import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { channel, mp4, pngOf, serve, startTestMax, type TestMax } from "../testing.ts";

let max: TestMax;
beforeAll(async () => {
  max = await startTestMax();
});
afterAll(() => max.close());

const callback = { type: "callback", text: "Да", payload: "y" };
const link = { type: "link", text: "Сайт", url: "https://ex.ru" };
const keyboard = (buttons: object[][]) => ({ type: "inline_keyboard", payload: { buttons } });
const row = (button: object, count: number) => Array.from({ length: count }, () => button);
const rows = (count: number, perRow: number) => Array.from({ length: count }, () => row(callback, perRow));

const attempt = (attachments: unknown) =>
  max.api("POST", `/messages?chat_id=${channel}`, { text: "a", attachments });
const refused = async (attachments: unknown) => {
  const { status, body } = await attempt(attachments);
  expect([status, body.code]).toEqual([400, "proto.payload"]);
  return body.message;
};

describe("keyboards", () => {
  test.each([
    ["30 rows", rows(30, 7)],
    ["three links in a row", [row(link, 3)]],
    ["a text of 128", [[{ ...callback, text: "я".repeat(128) }]]],
    ["a payload of 1024", [[{ ...callback, payload: "y".repeat(1024) }]]],
    ["an address of 2048", [[{ ...link, url: `https://ex.ru/${"a".repeat(2048 - 14)}` }]]],
    [
      "every kind of button",
      [
        [
          { type: "request_contact", text: "a" },
          { type: "request_geo_location", text: "a", quick: true },
        ],
        [{ type: "open_app", text: "a", web_app: "shop_bot", payload: "p" }],
        [
          { type: "message", text: "a" },
          { type: "clipboard", text: "a", payload: "p" },
        ],
      ],
    ],
  ])("%s are accepted and come back", async (_case, buttons) => {
    const { status, body } = await attempt([keyboard(buttons)]);
    expect(status).toBe(200);
    expect(body.message.body.attachments).toEqual([keyboard(buttons)]);
  });

  test("31 rows are refused with the provider's key", async () => {
    expect(await refused([keyboard(rows(31, 1))])).toContain("errors.maxRows");
  });

  test.each([
    ["eight in a row", [row(callback, 8)]],
    ["four in a row with a link", [[link, ...row(callback, 3)]]],
    ["no rows", []],
    ["an empty row", [[]]],
    ["an empty text", [[{ ...callback, text: "" }]]],
    ["a text of 129", [[{ ...callback, text: "я".repeat(129) }]]],
    ["a payload of 1025", [[{ ...callback, payload: "y".repeat(1025) }]]],
    ["an address of 2049", [[{ ...link, url: `https://ex.ru/${"a".repeat(2049 - 14)}` }]]],
    ["a clipboard of 1025", [[{ type: "clipboard", text: "a", payload: "y".repeat(1025) }]]],
    ["the chat button, which is gone", [[{ type: "chat", text: "a", chat_title: "b" }]]],
  ])("%s is refused", async (_case, buttons) => {
    await refused([keyboard(buttons)]);
  });

  test("only one keyboard fits a message", async () => {
    await refused([keyboard([[callback]]), keyboard([[callback]])]);
  });
});

describe("together", () => {
  const location = { type: "location", latitude: 55.7, longitude: 37.6 };
  const sticker = { type: "sticker", payload: { code: "s1" } };
  const contact = { type: "contact", payload: { name: "Ира", vcf_phone: "+79990000000" } };

  test("twelve attachments are accepted, thirteen are refused", async () => {
    expect((await attempt(row(location, 12))).status).toBe(200);
    await refused(row(location, 13));
  });

  test.each([
    ["a sticker", sticker],
    ["a contact", contact],
  ])("%s is the only attachment, apart from a keyboard", async (_case, alone) => {
    expect((await attempt([alone, keyboard([[callback]])])).status).toBe(200);
    await refused([alone, location]);
  });

  test("audio and files are the only attachments too", async () => {
    await max.control("PATCH", "/max/options", { not_ready_sends: 0 });
    const audio = await max.upload("audio", Buffer.from("sound"));
    const file = await max.upload("file", Buffer.from("text"), "a.txt");
    for (const alone of [
      { type: "audio", payload: { token: audio.token } },
      { type: "file", payload: { token: file.body.token } },
    ]) {
      await refused([alone, location]);
      expect((await attempt([alone])).status).toBe(200);
    }
  });

  test("images and videos share a message", async () => {
    const image = await max.upload("image", pngOf(10, 10));
    const video = await max.upload("video", mp4);
    const { status } = await attempt([
      { type: "image", payload: image.body },
      { type: "video", payload: { token: video.token } },
    ]);
    expect(status).toBe(200);
  });

  test.each([
    ["an unknown type", { type: "poll", payload: {} }],
    ["a location off the globe", { type: "location", latitude: 91, longitude: 0 }],
    ["an empty contact", { type: "contact", payload: { name: "Ира" } }],
    ["a share of nothing", { type: "share", payload: {} }],
    ["a share of two things", { type: "share", payload: { url: "https://ex.ru", token: "t" } }],
  ])("%s is refused", async (_case, attachment) => {
    await refused([attachment]);
  });
});

describe("images", () => {
  test("need one source", async () => {
    const message = "No `photos`, `url` or `token` provided. Check payload.";
    expect(await refused([{ type: "image", payload: {} }])).toBe(message);
    const { body } = await max.upload("image", pngOf(10, 10));
    await refused([{ type: "image", payload: { ...body, url: "https://ex.ru/a.png" } }]);
  });

  test("are sent by token or by the whole upload answer, again and again", async () => {
    const { body } = await max.upload("image", pngOf(10, 10));
    const [photo] = Object.values<{ token: string }>(body.photos);
    for (const payload of [body, { token: photo?.token }, { token: photo?.token }]) {
      const sent = await attempt([{ type: "image", payload }]);
      expect(sent.body.message.body.attachments).toEqual([
        {
          type: "image",
          payload: { photo_id: expect.any(Number), token: photo?.token, url: expect.any(String) },
        },
      ]);
    }
  });

  test("given by address are fetched, and refused when they cannot be", async () => {
    const site = await serve((request, response) => {
      if (request.url === "/a.png") return response.end(pngOf(20, 10));
      if (request.url === "/a.txt") return response.end("no image");
      return response.writeHead(404).end();
    });
    const image = (path: string) => [{ type: "image", payload: { url: `${site.url}${path}` } }];

    const { body } = await attempt(image("/a.png"));
    const [attachment] = body.message.body.attachments;
    const fetched = await fetch(attachment.payload.url);
    expect(Buffer.from(await fetched.arrayBuffer())).toEqual(pngOf(20, 10));
    expect(fetched.headers.get("content-type")).toBe("image/png");
    await refused(image("/a.txt"));
    await refused(image("/missing"));
    site.close();
  });
});
