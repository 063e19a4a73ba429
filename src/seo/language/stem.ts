/**
 * The Russian stemmer of Snowball, by its published description: used where the dictionary has no answer. Endings are tried
 * longest first, within the part of the word after its first vowel.
 */
const vowel = /[аеиоуыэюя]/;

const byLength = (endings: string) => endings.split(" ").sort((one, other) => other.length - one.length);

/** Taken off only after а or я. */
const gerunds1 = byLength("в вши вшись");
const gerunds2 = byLength("ив ивши ившись ыв ывши ывшись");
const reflexive = byLength("ся сь");
const adjectives = byLength(
  "ее ие ые ое ими ыми ей ий ый ой ем им ым ом его ого ему ому их ых ую юю ая яя ою ею",
);
const participles1 = byLength("ем нн вш ющ щ");
const participles2 = byLength("ивш ывш ующ");
const verbs1 = byLength("ла на ете йте ли й л ем н ло но ет ют ны ть ешь нно");
const verbs2 = byLength(
  "ила ыла ена ейте уйте ите или ыли ей уй ил ыл им ым ен ило ыло ено ят ует уют ит ыт ены ить ыть ишь ую ю",
);
const nouns = byLength(
  "а ев ов ие ье е иями ями ами еи ии и ией ей ой ий й иям ям ием ем ам ом о у ах иях ях ы ь ию ью ю ия ья я",
);

export function stemOf(folded: string): string {
  const first = folded.search(vowel);
  if (first < 0) return folded;
  const head = folded.slice(0, first + 1);
  let rest = folded.slice(first + 1);
  const gerund = without(rest, gerunds2) ?? afterA(head, rest, gerunds1);
  if (gerund !== undefined) rest = gerund;
  else {
    rest = without(rest, reflexive) ?? rest;
    const adjective = without(rest, adjectives);
    rest =
      adjective !== undefined
        ? (without(adjective, participles2) ?? afterA(head, adjective, participles1) ?? adjective)
        : (longest(without(rest, verbs2), afterA(head, rest, verbs1)) ?? without(rest, nouns) ?? rest);
  }
  rest = without(rest, ["и"]) ?? rest;
  if (inSecondPart(rest, "ост")) rest = rest.slice(0, -"ост".length);
  else if (inSecondPart(rest, "ость")) rest = rest.slice(0, -"ость".length);
  rest = without(rest, ["ейше", "ейш"]) ?? rest;
  if (rest.endsWith("нн")) rest = rest.slice(0, -1);
  else rest = without(rest, ["ь"]) ?? rest;
  return head + rest;
}

function without(rest: string, endings: readonly string[]): string | undefined {
  const ending = endings.find((each) => rest.endsWith(each));
  return ending === undefined ? undefined : rest.slice(0, rest.length - ending.length);
}

function afterA(head: string, rest: string, endings: readonly string[]): string | undefined {
  const ending = endings.find((each) => {
    if (!rest.endsWith(each)) return false;
    const before = rest.at(-each.length - 1) ?? head.at(-1);
    return before === "а" || before === "я";
  });
  return ending === undefined ? undefined : rest.slice(0, rest.length - ending.length);
}

/** Of two attempts, the one that took off more. */
function longest(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one.length < other.length ? one : other;
}

/** Whether a derivational ending lies after the second group of vowel and consonant. */
function inSecondPart(rest: string, ending: string): boolean {
  if (!rest.endsWith(ending)) return false;
  return /^[аеиоуыэюя]*[^аеиоуыэюя]+[аеиоуыэюя]+[^аеиоуыэюя]/.test(
    rest.slice(0, rest.length - ending.length),
  );
}
