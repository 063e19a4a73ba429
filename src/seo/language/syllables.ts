const russianVowels = new Set("аеёиоуыэюяіїєўәөүұ");

/**
 * Syllables of a word: vowels of a Russian one, groups of vowels of a Latin one. A number is read as one syllable per digit and
 * a word without vowels («в», «МРТ» has none either) as none, as the formula of Oborneva counts it.
 */
export function syllablesOf(word: string): number {
  let count = 0;
  let inLatinGroup = false;
  for (const letter of word.toLowerCase()) {
    const latin = "aeiouy".includes(letter);
    if (russianVowels.has(letter) || (letter >= "0" && letter <= "9") || (latin && !inLatinGroup)) count++;
    inLatinGroup = latin;
  }
  return count;
}
