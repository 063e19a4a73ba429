const slugBytes = 200;

/**
 * A title as a slug: letters beyond ASCII are percent-encoded, and the result is cut at 200 bytes, never inside a
 * letter.
 */
export function slugOf(title: string): string {
  const plain = withoutAccents(title.replace(/<[^<>]*>/g, ""))
    .replace(/%(?![a-fA-F0-9]{2})/g, "")
    .toLowerCase();
  return encode(plain, slugBytes)
    .toLowerCase()
    .replace(dashes, "-")
    .replaceAll("/", "-")
    .replace(dropped, "")
    .replaceAll("%c3%97", "x")
    .replace(/&[^;\s]{1,32};/g, "")
    .replaceAll(".", "-")
    .replace(/[^%a-z0-9\s_-]/g, "")
    .replace(/[\s-]+/g, "-")
    .replace(/^-|-$/g, "");
}

/** Typographic spaces and dashes. */
const dashes = /%c2%a0|%e2%80%9[34]|%e2%80%8[0-9a]|%e2%80%a[89f]|&(?:nbsp|ndash|mdash|#160|#8211|#8212);/g;
/** Quotes, dots, marks and invisible characters. */
const dropped =
  /%c2%(?:ad|a1|bf|ab|bb|a9|ae|b0|b4)|%e2%80%(?:b9|ba|9[89abcdef]|a2|a6|8[bcdef]|a[abcde])|%e2%84%a2|%cb%8a|%cc%8[0-4c]|%cd%81|%ef%bb%bf|%ef%bf%bc/g;

function encode(text: string, limit: number): string {
  let encoded = "";
  for (const letter of text) {
    const isAscii = letter <= "\x7f";
    const next = isAscii ? letter : encodeURIComponent(letter.isWellFormed() ? letter : "�").toLowerCase();
    if (encoded.length + next.length > limit) break;
    encoded += next;
  }
  return encoded;
}

/** Latin letters lose their diacritics; Cyrillic ones keep them. */
function withoutAccents(text: string): string {
  return text
    .replace(/[\u00c0-\u024f\u1e00-\u1eff]/g, (letter) =>
      letter.normalize("NFD").replace(/[\u0300-\u036f]/g, ""),
    )
    .replace(/[ßæøœđłþÆØŒĐŁÞ]/g, (letter) => ligatures[letter] ?? letter);
}

const ligatures: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  ø: "o",
  œ: "oe",
  đ: "d",
  ł: "l",
  þ: "th",
  Æ: "AE",
  Ø: "O",
  Œ: "OE",
  Đ: "D",
  Ł: "L",
  Þ: "TH",
};

/** Reserved names. */
const reserved = ["feed", "rdf", "rss", "rss2", "atom", "embed"];

/** The slug itself, or with `-2`, `-3`… until it is unique; a slug longer than 200 bytes is cut for the suffix. */
export function uniqueSlug(slug: string, taken: (slug: string) => boolean): string {
  // A bare number would be read as a page of the list.
  const unusable = (each: string) => taken(each) || reserved.includes(each) || /^[0-9]+$/.test(each);
  if (!unusable(slug)) return slug;
  for (let number = 2; ; number += 1) {
    const candidate = `${cut(slug, slugBytes - `-${number}`.length)}-${number}`;
    if (!taken(candidate)) return candidate;
  }
}

/** The beginning of a slug that ends with a whole letter. */
function cut(slug: string, length: number): string {
  if (slug.length <= length) return slug;
  for (let end = length; end > 0; end -= 1) {
    const beginning = slug.slice(0, end);
    if (isWhole(beginning)) return beginning.endsWith("-") ? beginning.slice(0, -1) : beginning;
  }
  return "";
}

function isWhole(slug: string): boolean {
  try {
    decodeURIComponent(slug);
    return true;
  } catch {
    // Cut inside a letter: a shorter beginning is needed.
    return false;
  }
}
