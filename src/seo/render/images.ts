import { latinWords } from "../../content/index.ts";
import { parsedUrl } from "../../kernel/url/index.ts";
import { type Lemmas, stem, wordParts } from "../language/index.ts";

/** A picture that was made and stored. */
export interface ArticleImage {
  readonly url: string;
  readonly width?: number;
  readonly height?: number;
}

/** What the model says about a picture; anything in it may be wrong or missing. */
export interface ImageMeta {
  readonly alt?: string;
  readonly filename?: string;
  readonly caption?: string;
}

export interface DescribedImage extends ArticleImage {
  readonly alt: string;
  /** Without an extension. */
  readonly filename: string;
  readonly caption?: string;
  /** The model's words were missing or unusable. */
  readonly isGeneric: boolean;
}

const longestName = 180;
const longestAlt = 250;

/**
 * Joins pictures with their meta by index (E32): meta without a picture are dropped, a picture without usable meta gets them
 * from the title. An alt text is usable if it has the main phrase in any form.
 */
export function reconcileImages(
  images: readonly ArticleImage[],
  metas: readonly (ImageMeta | null | undefined)[],
  {
    title,
    mainPhrase,
    lemmas = stem,
  }: { readonly title: string; readonly mainPhrase: string; readonly lemmas?: Lemmas },
): DescribedImage[] {
  const names = new Set<string>();
  const phrase = wordParts(mainPhrase).map(lemmas);
  return images.map((image, index) => {
    const meta = metas[index] ?? {};
    const alt = plain(meta.alt, longestAlt);
    const altWords = new Set(wordParts(alt).map(lemmas));
    const usable = alt !== "" && phrase.every((word) => altWords.has(word));
    const caption = plain(meta.caption, longestAlt);
    const name = usable ? latinWords(withoutExtension(meta.filename ?? ""), longestName - 4) : "";
    return {
      ...image,
      url: parsedUrl(image.url)?.href ?? "",
      alt: usable ? alt : genericAlt({ title, mainPhrase, phrase, lemmas }, index),
      filename: freeName(name || genericName({ title, mainPhrase }, index), names),
      ...(usable && caption !== "" && { caption }),
      isGeneric: !usable,
    };
  });
}

interface Subject {
  readonly title: string;
  readonly mainPhrase: string;
}

function genericAlt(
  {
    title,
    mainPhrase,
    phrase,
    lemmas,
  }: Subject & { readonly phrase: readonly string[]; readonly lemmas: Lemmas },
  index: number,
): string {
  const titleWords = new Set(wordParts(title).map(lemmas));
  const subject = phrase.every((word) => titleWords.has(word)) ? title : `${mainPhrase}: ${title}`;
  return plain(index === 0 ? subject : `${subject}, изображение ${index + 1}`, longestAlt);
}

function genericName({ title, mainPhrase }: Subject, index: number): string {
  const name =
    latinWords(title, longestName - 8) || latinWords(mainPhrase, longestName - 8) || "izobrazhenie";
  return `${name}-${index + 1}`;
}

function freeName(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let number = 2; taken.has(name); number++) name = `${wanted}-${number}`;
  taken.add(name);
  return name;
}

const withoutExtension = (name: string): string => name.replace(/\.(?:webp|png|jpe?g|gif|avif)$/i, "");

function plain(text: unknown, longest: number): string {
  if (typeof text !== "string") return "";
  // Angle brackets in attributes are how a page changes its meaning when it is parsed a second time.
  const line = text.toWellFormed().replace(/\{\{[^{}]{0,40}\}\}|[<>]/g, "");
  return line.replace(/\s+/g, " ").trim().slice(0, longest).toWellFormed();
}
