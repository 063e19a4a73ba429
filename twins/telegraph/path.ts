/** Telegraph's transliteration of Russian: a capital stays a capital in all its letters, as in `SHkola`. */
const letters: Readonly<Record<string, string>> = {
  а: "a",
  б: "b",
  в: "v",
  г: "g",
  д: "d",
  е: "e",
  ё: "yo",
  ж: "zh",
  з: "z",
  и: "i",
  й: "j",
  к: "k",
  л: "l",
  м: "m",
  н: "n",
  о: "o",
  п: "p",
  р: "r",
  с: "s",
  т: "t",
  у: "u",
  ф: "f",
  х: "h",
  ц: "c",
  ч: "ch",
  ш: "sh",
  щ: "shch",
  ъ: "",
  ы: "y",
  ь: "",
  э: "eh",
  ю: "yu",
  я: "ya",
};

/** The path of a new page: its title in Latin letters, the day, and a number if the day has that title already. */
export function newPath(title: string, at: number, isTaken: (path: string) => boolean): string {
  const date = new Date(at).toISOString().slice(5, 10);
  const path = `${slugOf(title)}-${date}`;
  for (let number = 1; ; number += 1) {
    const numbered = number === 1 ? path : `${path}-${number}`;
    if (!isTaken(numbered)) return numbered;
  }
}

function slugOf(title: string): string {
  const latin = [...title].map((letter) => {
    const small = letter.toLowerCase();
    const written = letters[small];
    if (written === undefined) return letter;
    return letter === small ? written : written.toUpperCase();
  });
  // Letters of other scripts stay; a URL percent-encodes them.
  return latin
    .join("")
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, "-")
    .replace(/^-|-$/g, "");
}
