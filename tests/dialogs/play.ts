/** Plays a script in the twin of Telegram, and returns the script with what the bot really showed. */
import { botName } from "../../src/seo/bot/bot-name.ts";
import { demoBusiness } from "../../src/seo/demo/demo-business.ts";
import { plain, type SeenMessage, type SeoBotHarness, type SeoPerson } from "../support/seo-bot.ts";
import { consent, pay } from "./consent.ts";
import { faultOf, mended } from "./faults.ts";
import { prepare, type Stage } from "./givens.ts";
import { agrees, readScript, type Scene, type Step, writeScript } from "./script.ts";
import { mediaOf, repeated } from "./sent.ts";
import { linesOf } from "./shown.ts";

export interface Played {
  readonly text: string;
  readonly person: SeoPerson | undefined;
}

/** A step that could not be taken; what was played up to it, and the rest as it was. */
export class PlayError extends Error {
  readonly text: string;
  constructor(message: string, text: string) {
    super(message);
    this.text = text;
  }
}

const usualCompany = demoBusiness.project.company_name;

/** A fault strikes requests that name the company, so it is nobody else's. A number in it would be checked as a claim. */
const lettersOf = (id: number) => String(id).replace(/\d/g, (digit) => "абвгдежзик"[Number(digit)] ?? "");

/** `id` is the person's number: what the twins invent depends on it, so a script keeps its own. */
export async function play(script: string, harness: SeoBotHarness, id: number): Promise<Played> {
  let person: SeoPerson | undefined;
  const scenes = readScript(script);
  const isStruck = scenes.some(({ step }) => step.kind === "fault");
  const stage: Stage = {
    harness,
    about: { language: "ru" },
    company: isStruck ? `${usualCompany} ${lettersOf(id)}` : usualCompany,
    faults: [],
    async person() {
      person ??= await harness.person({ id, ...stage.about, name: "Ирина" });
      return person;
    },
  };
  /** Names that the script gave to what it cannot know; they hold to its end. */
  const known = new Map<string, string>();
  let before: readonly SeenMessage[] = [];
  const played: Scene[] = [];
  try {
    for (const [index, scene] of scenes.entries()) {
      const toast = await act(scene.step, stage).catch((cause: unknown) => {
        const rest = writeScript([...played, ...scenes.slice(index)]);
        throw new PlayError(`${scene.lines.join(" ")}: ${String(cause)}`, rest);
      });
      // What a step leads to is shown after the waiting for it, if that follows.
      if (!acts.has(scene.step.kind) || nextStep(scenes, index)?.kind === "awaits") {
        played.push({ ...scene, shown: acts.has(scene.step.kind) ? [] : scene.shown });
        continue;
      }
      const talker = await stage.person();
      // What is awaited is shown in the middle of work.
      if (scene.step.kind === "awaits") await talker.screen();
      const after = await (scene.step.kind === "awaits" ? talker.messages() : talker.rests());
      const shown = seen(scene.step, before, after, toast).map((line) => namedIn(line, stage, talker));
      before = after;
      played.push(agrees(scene.shown, shown, known) ? scene : { ...scene, shown });
    }
  } finally {
    await mend(stage);
  }
  return { text: writeScript(played), person };
}

/** Steps after which the bot has something to show. */
const acts = new Set<Step["kind"]>([
  ...(["says", "taps", "forges", "sends", "opens", "pays", "passes", "awaits"] as const),
]);

const nextStep = (scenes: readonly Scene[], index: number): Step | undefined =>
  scenes.slice(index + 1).find(({ step }) => step.kind !== "words")?.step;

/** What a person writes and is gone before anybody looks was deleted by the bot: a secret. */
function seen(
  step: Step,
  before: readonly SeenMessage[],
  after: readonly SeenMessage[],
  toast: string | undefined,
): string[] {
  const known = new Set(before.map(({ id }) => id));
  const isGone = step.kind === "says" && !after.some(({ id, author }) => !author.bot && !known.has(id));
  const lines = withoutFacts(linesOf(before, after, toast));
  return isGone ? ["Бот, удаляя сообщение человека:", "> •••", ...lines] : lines;
}

/** What is learnt of a site in the background comes when it comes. */
const facts = /^> (?:Изучаю сайт|Цвета сайта: |PageSpeed: |Обнаружен|Внутренних ссылок пока)/;

function withoutFacts(lines: readonly string[]): string[] {
  return lines.flatMap((line, index) => {
    if (!facts.test(line)) return [line];
    return facts.test(lines[index - 1] ?? "") ? [] : ["> {о сайте}"];
  });
}

/** What differs from run to run has a name of its own. */
const named: readonly (readonly [RegExp, string])[] = [
  [/^> (?:Жду своей очереди|Собираю данные из Google)\.\.\.$/g, "> {стадия}"],
  [/\{двойники\}\/telegraph\/[^\s)]+/g, "{превью}"],
  [/(?<=Прошло )\d+:\d\d/g, "{время}"],
  [/(?<=Следующая публикация: ).+/g, "{когда}"],
  [/\d{1,2} \p{L}+ 20\d\d г\.?/gu, "{сегодня}"],
  [/\d\d\.\d\d, \d\d:\d\d/g, "{когда}"],
  [/[?&](?:orderId|nonce|state|user_id)=[^\s)]+/g, "{ключ}"],
];

function namedIn(line: string, { harness, company }: Stage, { id }: SeoPerson): string {
  const here = plain(line)
    .replaceAll(harness.running.twinsUrl, "{двойники}")
    .replaceAll(String(id), "{человек}")
    .replaceAll(company, usualCompany);
  return named.reduce((text, [pattern, name]) => text.replace(pattern, name), here);
}

async function act(step: Step, stage: Stage): Promise<string | undefined> {
  const { harness } = stage;
  switch (step.kind) {
    case "words":
      return undefined;
    case "given":
      await prepare(stage, step.what);
      return undefined;
  }
  const person = await stage.person();
  const meant = (text: string) => repeated(text.replaceAll("{человек}", String(person.id)));
  switch (step.kind) {
    case "fault":
      if (step.what === mended) await mend(stage);
      else {
        const body = faultOf(meant(step.what), stage);
        stage.faults.push((await harness.control<{ id: string }>("POST", "/faults", body)).id);
      }
      return undefined;
    case "says":
      await person.say(meant(step.text));
      return undefined;
    case "taps":
      return person.press(meant(step.label), step.copies);
    case "forges":
      return person.tap(
        step.data
          .replace("{проект}", String(stage.project ?? 0))
          .replace("{категория}", String(stage.category ?? 0)),
      );
    case "sends":
      await person.send(await mediaOf(step.what));
      return undefined;
    case "opens":
      await consent(harness, person, step);
      return undefined;
    case "pays":
      await pay(harness, person);
      return undefined;
    case "passes":
      await passTime(harness, person, step.minutes);
      return undefined;
    case "awaits":
      await person.sees(step.words);
      return undefined;
  }
}

async function mend({ harness, faults }: Stage): Promise<void> {
  if (faults.length === 0) return;
  const { faults: left } = await harness.control<{ faults: { id: string }[] }>("GET", "/faults");
  const mine = new Set(faults.splice(0));
  for (const { id } of left) if (mine.has(id)) await harness.control("DELETE", `/faults/${id}`);
}

async function passTime({ sql, workspaceId }: SeoBotHarness, { id }: SeoPerson, minutes: number) {
  await sql`
    update dialogs.dialogues set expires_at = expires_at - make_interval(mins => ${minutes})
    where bot = ${botName} and chat_id = ${String(id)}`;
  await sql`
    update dialogs.kept set kept_until = kept_until - make_interval(mins => ${minutes})
    where bot = ${botName} and chat_id = ${String(id)}`;
  // The engine sleeps until something happens; a word of nobody wakes it.
  await sql`select pg_notify('molva_dialogs', ${`${workspaceId}/${botName}`})`;
}
