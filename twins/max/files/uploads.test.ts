import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { channel, formOf, mp4, pngOf, startTestMax, type TestMax } from "../testing.ts";

let max: TestMax;
beforeEach(async () => {
  max = await startTestMax();
});
afterEach(() => max.close());

const send = (type: string, token: string | undefined) =>
  max.api("POST", `/messages?chat_id=${channel}`, { text: "a", attachments: [{ type, payload: { token } }] });
const codeOf = ({ status, body }: { status: number; body: { code: string } }) => [status, body.code];

describe("where the token comes from", () => {
  test.each(["video", "audio"])(
    "%s has it before the bytes; the upload answers <retval>1</retval>",
    async (type) => {
      const { status, body, token } = await max.upload(type, mp4);
      expect([status, body]).toEqual([200, "<retval>1</retval>"]);
      expect(token).toBeTypeOf("string");
    },
  );

  test("a file has it in the upload's answer", async () => {
    const { body, token } = await max.upload("file", Buffer.from("hello"), "привет.txt");
    expect(token).toBeUndefined();
    expect(body).toEqual({ fileId: expect.any(Number), token: expect.any(String) });
  });

  test("an image has it in the photos of the upload's answer", async () => {
    const { body, token } = await max.upload("image", pngOf(10, 10));
    expect(token).toBeUndefined();
    expect(Object.values(body.photos)).toEqual([{ token: expect.any(String) }]);
  });

  test("a token of one type does not serve another, and an invented one serves none", async () => {
    const video = await max.upload("video", mp4);
    expect(codeOf(await send("file", video.token))).toEqual([400, "proto.payload"]);
    expect(codeOf(await send("image", video.token))).toEqual([400, "proto.payload"]);
    expect(codeOf(await send("video", "invented"))).toEqual([400, "proto.payload"]);
  });
});

describe("processing", () => {
  const notReady = {
    status: 400,
    body: { code: "attachment.not.ready", message: "Key: errors.process.attachment.file.not.processed" },
  };

  test.each(["video", "audio", "file"])(
    "the first send of a fresh %s is not ready, the second is",
    async (type) => {
      const { body, token = body.token } = await max.upload(type, mp4);
      expect(await send(type, token)).toEqual(notReady);
      expect((await send(type, token)).status).toBe(200);
      expect((await send(type, token)).status).toBe(200);
    },
  );

  test("how many sends are not ready is an option", async () => {
    await max.control("PATCH", "/max/options", { not_ready_sends: 2 });
    const { token } = await max.upload("video", mp4);
    const statuses = [];
    for (let index = 0; index < 3; index += 1) statuses.push((await send("video", token)).status);
    expect(statuses).toEqual([400, 400, 200]);
  });

  test("a video whose bytes have not come stays not ready", async () => {
    const { body } = await max.api("POST", "/uploads?type=video");
    expect(await send("video", body.token)).toEqual(notReady);
    expect(await send("video", body.token)).toEqual(notReady);
  });

  test("what is no video is found out in processing", async () => {
    const { status, token } = await max.upload("video", Buffer.from("just some text"));
    expect(status).toBe(200);
    await send("video", token);
    const answer = await send("video", token);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain("errors.process.attachment.video.not.supported");
  });

  test("sound longer than an hour is found out in processing", async () => {
    const wav = Buffer.alloc(44 + 3601);
    wav.write("RIFF", "latin1");
    wav.writeUInt32LE(1, 28);
    const { token } = await max.upload("audio", wav);
    await send("audio", token);
    expect(codeOf(await send("audio", token))).toEqual([400, "proto.payload"]);
  });

  test("GET /videos tells where a processed video plays", async () => {
    const { token } = await max.upload("video", mp4);
    expect((await max.api("GET", `/videos/${token}`)).body.urls).toBeNull();
    await send("video", token);
    const { body } = await max.api("GET", `/videos/${token}`);
    const played = await fetch(body.urls.mp4_720);
    expect(Buffer.from(await played.arrayBuffer())).toEqual(mp4);
    expect(codeOf(await max.api("GET", "/videos/none"))).toEqual([404, "not.found"]);
  });
});

describe("limits", () => {
  test("an image may have 7680 pixels a side", async () => {
    expect((await max.upload("image", pngOf(7680, 7680))).status).toBe(200);
    expect(codeOf(await max.upload("image", pngOf(7681, 10)))).toEqual([400, "proto.payload"]);
    expect(codeOf(await max.upload("image", pngOf(10, 7681)))).toEqual([400, "proto.payload"]);
  });

  test("what is no image of a known format is refused", async () => {
    const webp = Buffer.concat([Buffer.from("RIFF....WEBPVP8X", "latin1"), Buffer.alloc(20)]);
    expect(codeOf(await max.upload("image", webp))).toEqual([400, "proto.payload"]);
    expect(codeOf(await max.upload("image", Buffer.from("text")))).toEqual([400, "proto.payload"]);
  });

  test.each([
    ["image", 50],
    ["video", 250],
    ["audio", 256],
    ["file", 4096],
  ])("%s may have %i MB", async (type, megabytes) => {
    const piece = async (total: number) => {
      const { body } = await max.api("POST", `/uploads?type=${type}`);
      const headers = { "content-type": "application/octet-stream", "content-range": `bytes 0-3/${total}` };
      return (await fetch(body.url, { method: "POST", headers, body: "data" })).status;
    };
    expect(await piece(megabytes * 1024 * 1024)).toBe(201);
    expect(await piece(megabytes * 1024 * 1024 + 1)).toBe(400);
  });
});

describe("upload addresses", () => {
  const address = async (type: string): Promise<string> =>
    (await max.api("POST", `/uploads?type=${type}`)).body.url;

  test("lie below the twins' own address and ask for no token", async () => {
    expect(await address("file")).toMatch(new RegExp(`^${max.url}/max/_upload/`));
  });

  test("take one file each", async () => {
    const url = await address("file");
    const post = () => fetch(url, { method: "POST", body: formOf(Buffer.from("a")) });
    const together = await Promise.all([post(), post()]);
    expect(together.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    expect((await post()).status).toBe(400);
  });

  test("want exactly one field named data", async () => {
    const url = await address("file");
    const wrong = await fetch(url, { method: "POST", body: formOf(Buffer.from("a"), "a", "file") });
    expect(wrong.status).toBe(400);
    const form = formOf(Buffer.from("a"));
    form.append("data", new Blob(["b"]), "b");
    expect((await fetch(url, { method: "POST", body: form })).status).toBe(400);
    expect((await fetch(url, { method: "POST", body: formOf(Buffer.from("a")) })).status).toBe(200);
  });

  test("refuse a form that breaks off", async () => {
    const headers = { "content-type": "multipart/form-data; boundary=x" };
    const body = '--x\r\ncontent-disposition: form-data; name="data"; filename="a"\r\n\r\nhalf';
    const response = await fetch(await address("file"), { method: "POST", headers, body });
    expect([response.status, await response.json()]).toMatchObject([400, { code: "proto.payload" }]);
  });

  test("that were never given are not found", async () => {
    const response = await fetch(`${max.url}/max/_upload/none`, {
      method: "POST",
      body: formOf(Buffer.from("a")),
    });
    expect(response.status).toBe(404);
  });

  test("take a file in pieces, in order", async () => {
    const url = await address("file");
    const piece = (range: string, body: string) =>
      fetch(url, {
        method: "POST",
        headers: {
          "content-type": "application/x-binary",
          "content-range": range,
          "content-disposition": 'attachment; filename="note.txt"',
        },
        body,
      });
    const first = await piece("bytes 0-4/11", "hello");
    expect([first.status, await first.text()]).toEqual([201, "0-4/11"]);
    const gap = await piece("bytes 6-10/11", "world");
    expect([gap.status, await gap.text()]).toEqual([416, "0-4/11"]);
    const last = await piece("bytes 5-10/11", " world");
    const { token } = JSON.parse(await last.text());
    await max.control("PATCH", "/max/options", { not_ready_sends: 0 });
    await send("file", token);
    const sent = await send("file", token);
    const [attachment] = sent.body.message.body.attachments;
    expect(attachment).toMatchObject({ type: "file", filename: "note.txt", size: 11 });
    expect(await (await fetch(attachment.payload.url)).text()).toBe("hello world");
  });

  test.each(["bytes 5-4/10", "bytes 0-10/10", "items 0-1/2"])("the range %j is refused", async (range) => {
    const headers = { "content-type": "application/x-binary", "content-range": range };
    expect((await fetch(await address("file"), { method: "POST", headers, body: "a" })).status).toBe(400);
  });
});
