/**
 * Dialogues as text, for people to read and to write: what somebody says, what the bot shows. The format is described in
 * docs/reference/dialog-scripts.md.
 */

export type Step =
  | { readonly kind: "words"; readonly text: string }
  | { readonly kind: "given"; readonly what: string }
  | { readonly kind: "fault"; readonly what: string }
  | { readonly kind: "says"; readonly text: string }
  | { readonly kind: "taps"; readonly label: string; readonly copies: number }
  | { readonly kind: "forges"; readonly data: string }
  | { readonly kind: "sends"; readonly what: string }
  | { readonly kind: "opens"; readonly label: string; readonly allows: boolean }
  | { readonly kind: "pays" }
  | { readonly kind: "passes"; readonly minutes: number }
  | { readonly kind: "awaits"; readonly words: string };

/** A step, its lines as they are written, and what the bot is expected to show after it. */
export interface Scene {
  readonly step: Step;
  readonly lines: readonly string[];
  readonly shown: readonly string[];
}

export class ScriptError extends Error {}

/** Lines of the bot: `Бот:` and the like, and what is quoted below. */
const botLine = /^(?:Бот(?:, .*)?:.*|>.*)$/;

export function readScript(text: string): Scene[] {
  const scenes: { step: Step; lines: string[]; shown: string[] }[] = [];
  for (const line of text.trimEnd().split("\n")) {
    const last = scenes.at(-1);
    if (botLine.test(line)) {
      if (!last) throw new ScriptError("the bot speaks before anybody did something");
      last.shown.push(line);
      continue;
    }
    const step = stepOf(line);
    // Blank lines stand where they stood, except around what the bot shows.
    if (step.kind === "words" && last?.step.kind === "words" && last.shown.length === 0)
      last.lines.push(line);
    else if (!(line === "" && last && last.step.kind !== "words"))
      scenes.push({ step, lines: [line], shown: [] });
  }
  return scenes;
}

const person = /^Человек: (.+)$/;
const tap = /^Человек нажимает: \[(.+?)\](?: (\d+) раза?)?$/;
const forged = /^Человек шлёт нажатие: `(.+)`$/;
const sent = /^Человек присылает: (.+)$/;
const opened = /^Человек открывает: \[(.+?)\] и (разрешает|не разрешает) доступ$/;
const paid = /^Человек (платит)$/;
const given = /^Дано: (.+)$/;
const fault = /^Неполадка: (.+)$/;
const passing = /^Проходит: (\d+) мин\.?$/;
const awaited = /^Ждём: «(.+)»$/;

function stepOf(line: string): Step {
  const found = <T>(pattern: RegExp, make: (...parts: string[]) => T): T | undefined => {
    const match = pattern.exec(line);
    return match ? make(...match.slice(1)) : undefined;
  };
  return (
    found(person, (text = ""): Step => ({ kind: "says", text: text.replaceAll("\\n", "\n") })) ??
    found(tap, (label = "", copies = "1"): Step => ({ kind: "taps", label, copies: Number(copies) })) ??
    found(forged, (data = ""): Step => ({ kind: "forges", data })) ??
    found(sent, (what = ""): Step => ({ kind: "sends", what })) ??
    found(opened, (label = "", how = ""): Step => ({ kind: "opens", label, allows: how === "разрешает" })) ??
    found(paid, (): Step => ({ kind: "pays" })) ??
    found(given, (what = ""): Step => ({ kind: "given", what })) ??
    found(fault, (what = ""): Step => ({ kind: "fault", what })) ??
    found(passing, (minutes = "0"): Step => ({ kind: "passes", minutes: Number(minutes) })) ??
    found(awaited, (words = ""): Step => ({ kind: "awaits", words })) ??
    wordsOf(line)
  );
}

/** A line of free words; what looks like a misspelt step is an error. */
function wordsOf(line: string): Step {
  if (/^(?:Человек|Бот|Дано|Неполадка|Проходит|Ждём)(?![а-яё]).*:/iu.test(line))
    throw new ScriptError(`nobody knows what this line does: ${line}`);
  return { kind: "words", text: line };
}

/** The script again, with a blank line between steps. */
export function writeScript(scenes: readonly Scene[]): string {
  const paragraphs = scenes.map(({ lines, shown }) => {
    const words = lines.join("\n").replace(/^\n+|\n+$/g, "");
    const told = shown.map((line, index) => (index > 0 && line.startsWith("Бот") ? `\n${line}` : line));
    return told.length > 0 ? `${words}\n\n${told.join("\n")}` : words;
  });
  return `${paragraphs.filter((each) => each !== "").join("\n\n")}\n`;
}

/**
 * Whether what was shown is what the script expects. `{балл}` stands for anything in a line; the same name stands for the same
 * words from then on.
 */
export function agrees(
  expected: readonly string[],
  shown: readonly string[],
  known: Map<string, string>,
): boolean {
  if (expected.length !== shown.length) return false;
  const learnt = new Map(known);
  for (const [index, line] of expected.entries()) {
    const names: string[] = [];
    const source = line
      .split(/(\{[^{}\s][^{}]*\})/)
      .map((part) => {
        if (!/^\{.*\}$/.test(part)) return escaped(part);
        const before = learnt.get(part);
        if (before !== undefined) return escaped(before);
        names.push(part);
        return "(.+?)";
      })
      .join("");
    const match = new RegExp(`^${source}$`, "u").exec(shown[index] ?? "");
    if (!match) return false;
    for (const [place, name] of names.entries()) learnt.set(name, match[place + 1] ?? "");
  }
  for (const [name, value] of learnt) known.set(name, value);
  return true;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
