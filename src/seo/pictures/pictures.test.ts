import fc from "fast-check";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { enhance } from "./enhance.ts";
import { finishPicture } from "./finish-picture.ts";
import { looksLike, printOf } from "./likeness.ts";
import { planPictures, spread } from "./plan-pictures.ts";

const wishes = {
  formats: [],
  styles: ["Акварель"],
  tones: [],
  cameras: [],
  angles: [],
  text_on_image: 0,
  collage: 0,
};
const section = (heading: string) => ({ heading, text: "слово ".repeat(400) });

/** A drawing whose shapes depend on the seed. */
const drawing = (seed: number, width = 320, height = 180) =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#dde"/><circle cx="${(seed * 71) % width}" cy="${(seed * 37) % height}" r="${40 + ((seed * 13) % 60)}" fill="#833"/><rect x="${(seed * 113) % width}" y="${(seed * 53) % height}" width="90" height="60" fill="#385"/></svg>`,
    ),
  )
    .png()
    .toBuffer();

describe("the plan of pictures", () => {
  it("spreads them over the sections, without the first and the last while there are enough", () => {
    expect(spread(6, 4)).toEqual([1, 2, 3, 4]);
    expect(spread(12, 3)).toEqual([2, 6, 9]);
    expect(spread(3, 3)).toEqual([0, 1, 2]);
    expect(spread(2, 4)).toEqual([0, 1]);
    fc.assert(
      fc.property(fc.nat(40), fc.nat(10), (sections, count) => {
        const places = spread(sections, count);
        expect(places).toHaveLength(Math.min(count, sections));
        expect(new Set(places).size).toBe(places.length);
        for (const place of places) expect(place).toBeLessThan(sections);
      }),
    );
  });

  it("begins wide, goes on in the form of photographs and ends with squares; chosen formats are used in turn", () => {
    const sections = ["А", "Б", "В", "Г", "Д", "Е", "Ж"].map(section);
    const ratios = (formats: string[]) =>
      planPictures(sections, 5, { ...wishes, formats }).map(({ aspectRatio }) => aspectRatio);
    expect(ratios([])).toEqual(["16:9", "4:3", "4:3", "1:1", "1:1"]);
    expect(ratios(["2:3", "1:1"])).toEqual(["2:3", "1:1", "2:3", "1:1", "2:3"]);
  });

  it("gives each its section's beginning, and the later ones something that makes them different", () => {
    const [first, second] = planPictures(["Вступление", "Сорта", "Вода", "Итог"].map(section), 2, wishes);
    expect(first).toMatchObject({
      section: 1,
      data: { image_number: 1, total_images: 2, variation_hint: "" },
    });
    expect(String(first?.data.block_context).split(" ")).toHaveLength(300);
    expect(second?.data.block_context).toMatch(/^Вода слово/);
    expect(second?.data.variation_hint).toBe("Крупный план");
    const angled = planPictures([], 2, { ...wishes, angles: ["Сверху"] });
    expect(angled.map(({ data }) => [data.angle_instruction, data.variation_hint])).toEqual([
      ["Ракурс: Сверху.", ""],
      ["Ракурс: Сверху.", ""],
    ]);
  });

  it("asks for text and collages on as many as wished", () => {
    const planned = planPictures([], 4, { ...wishes, text_on_image: 50, collage: 25 });
    const asked = planned.map(({ data }) => String(data.text_on_image_instruction));
    expect(asked.filter((text) => text.includes("надпись"))).toHaveLength(2);
    expect(asked.filter((text) => text.includes("Коллаж"))).toHaveLength(1);
  });
});

describe("a drawn picture", () => {
  it("becomes WebP that says in its metadata that a model made it", async () => {
    const finished = await finishPicture(await drawing(1, 2_560, 1_440));
    expect(finished).toMatchObject({ mediaType: "image/webp", width: 2_048, height: 1_152, asPng: false });
    const { format, xmp } = await sharp(finished.bytes).metadata();
    expect(format).toBe("webp");
    expect(String(xmp)).toContain("trainedAlgorithmicMedia");
  });

  // covers seo: E33
  it("becomes PNG with the same metadata where WebP cannot be made", async () => {
    // WebP knows no quality above 100: sharp refuses it as it refuses a picture that the encoder cannot take.
    const finished = await finishPicture(await drawing(4), (picture) => picture.webp({ quality: 101 }));
    expect(finished).toMatchObject({ asPng: true, mediaType: "image/png", width: 320, height: 180 });
    const { format, xmp } = await sharp(finished.bytes).metadata();
    expect(format).toBe("png");
    expect(xmp?.toString()).toContain("trainedAlgorithmicMedia");
  });

  it("of bytes that are no picture is refused", async () => {
    await expect(finishPicture(Buffer.from("<html>"))).rejects.toThrow();
  });

  it("looks like itself in another size and quality, and unlike another drawing", async () => {
    const original = await drawing(3);
    const again = await sharp(original).resize(640).jpeg({ quality: 60 }).toBuffer();
    const prints = await Promise.all([4, 9, 17, 23].map(async (seed) => printOf(sharp(await drawing(seed)))));
    expect(looksLike(await printOf(sharp(again)), [await printOf(sharp(original))])).toBe(true);
    expect(looksLike(await printOf(sharp(original)), prints)).toBe(false);
  });
});

describe("enhancing", () => {
  /** One picture of one colour per pixel. */
  const enhanced = async (width: number, pixels: readonly (readonly number[])[]) => {
    const channels = pixels[0]?.length ?? 3;
    const data = Uint8Array.from(pixels.flat());
    await enhance({ data, width, height: pixels.length / width, channels });
    return Array.from({ length: pixels.length }, (_, index) => [
      ...data.subarray(index * channels, (index + 1) * channels),
    ]);
  };
  const even = (colour: readonly number[]) => Array.from({ length: 9 }, () => colour);

  it("leaves an even grey even, and moves it away from the middle by a twentieth", async () => {
    expect(await enhanced(3, even([120, 120, 120]))).toEqual(even([120, 120, 120]));
    expect(await enhanced(3, even([200, 200, 200]))).toEqual(even([204, 204, 204]));
    expect(await enhanced(3, even([40, 40, 40]))).toEqual(even([36, 36, 36]));
  });

  it("makes colours stronger by 8 per cent, and stays within a byte", async () => {
    const [[red = 0, green = 0, blue = 0] = []] = await enhanced(3, even([150, 120, 100]));
    expect([red, green, blue]).toEqual([154, 120, 97]);
    expect(await enhanced(3, even([255, 0, 0]))).toEqual(even([255, 0, 0]));
  });

  it("makes an edge steeper without colouring it, at the border as well, and leaves transparency alone", async () => {
    const [dark, light] = [
      [100, 100, 100, 7],
      [140, 140, 140, 9],
    ];
    const columns = [dark, dark, dark, light, light, light];
    const rows = await enhanced(6, [...columns, ...columns]);
    const grey = rows.slice(0, 6).map(([level = 0, ...others]) => {
      expect(others.slice(0, 2)).toEqual([level, level]);
      return level;
    });
    expect(grey).toEqual([99, 99, 84, 157, 141, 141]);
    expect(rows.slice(6)).toEqual(rows.slice(0, 6));
    expect(rows.map((pixel) => pixel[3])).toEqual([7, 7, 7, 9, 9, 9, 7, 7, 7, 9, 9, 9]);
  });
});
