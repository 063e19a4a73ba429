/** Cyrillic letters as passports and addresses spell them; signs without a sound are left out. */
const letters: Readonly<Record<string, string>> = {
  ...{
    а: "a",
    б: "b",
    в: "v",
    г: "g",
    д: "d",
    е: "e",
    ё: "e",
    ж: "zh",
    з: "z",
    и: "i",
    й: "y",
    к: "k",
    л: "l",
  },
  ...{ м: "m", н: "n", о: "o", п: "p", р: "r", с: "s", т: "t", у: "u", ф: "f", х: "kh", ц: "ts", ч: "ch" },
  ...{ ш: "sh", щ: "shch", ъ: "", ы: "y", ь: "", э: "e", ю: "yu", я: "ya" },
  ...{
    і: "i",
    ї: "yi",
    є: "ye",
    ґ: "g",
    ў: "u",
    ә: "a",
    ғ: "g",
    қ: "k",
    ң: "n",
    ө: "o",
    ұ: "u",
    ү: "u",
    һ: "h",
  },
  ...{ ß: "ss", æ: "ae", œ: "oe", ø: "o", đ: "d", ł: "l", þ: "th", ı: "i" },
};

/**
 * A text in small Latin letters and digits with single dashes between its words, for addresses and names of files. Cut
 * between words where it is too long; empty when it has no letter that can be spelt.
 */
export function latinWords(text: string, longest: number): string {
  const words = [...text.normalize("NFC").toLowerCase()]
    .map((letter) => letters[letter] ?? letter.normalize("NFKD").replace(/\p{M}/gu, ""))
    .join("")
    // An apostrophe belongs to its word.
    .replace(/['’ʼ`]/g, "")
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
  const [first = "", ...rest] = words;
  let name = first.slice(0, longest);
  for (const word of rest) {
    if (name.length + 1 + word.length > longest) break;
    name += `-${word}`;
  }
  return name;
}
