/** What a UTF-16 unit is: a syllable by itself, or a part of a Latin group of vowels. */
const alone = 1;
const latin = 2;
const kinds = new Uint8Array(0x500);
for (const sign of "аеёиоуыэюяіїєўәөүұ0123456789") kinds[sign.charCodeAt(0)] = alone;
for (const sign of "aeiouy") kinds[sign.charCodeAt(0)] = latin;

/**
 * Syllables of a word: vowels of a Russian one, groups of vowels of a Latin one. A number is read as one syllable per digit and
 * a word without vowels («в», «МРТ» has none either) as none, as the formula of Oborneva counts it.
 */
export function syllablesOf(word: string): number {
  let count = 0;
  let inLatinGroup = false;
  const small = word.toLowerCase();
  for (let at = 0; at < small.length; at++) {
    const kind = kinds[small.charCodeAt(at)];
    if (kind === alone || (kind === latin && !inLatinGroup)) count++;
    inLatinGroup = kind === latin;
  }
  return count;
}
