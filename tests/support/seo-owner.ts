import { systemClock } from "../../src/kernel/clock/index.ts";
import { addCategory } from "../../src/seo/categories/categories.ts";
import { addProject } from "../../src/seo/projects/projects.ts";
import type { SeoBotHarness, SeoPerson } from "./seo-bot.ts";

export interface SeoOwner {
  readonly person: SeoPerson;
  readonly projectId: number;
  readonly categoryId: number;
}

/** A person with a project and a category, at the dashboard. */
export async function seoOwner(
  harness: SeoBotHarness,
  given: { readonly name?: string; readonly website?: string; readonly language?: string } = {},
): Promise<SeoOwner> {
  const person = await harness.person({ language: given.language ?? "ru" });
  await person.say("/start");
  await person.screen();
  return { person, ...(await anotherProject(harness, person, given)) };
}

export async function anotherProject(
  { sql, workspaceId }: SeoBotHarness,
  { id: userId }: Pick<SeoPerson, "id">,
  { name = "Лавка", website }: { readonly name?: string; readonly website?: string } = {},
) {
  const deps = { sql, clock: systemClock, admins: [] };
  const whose = { workspaceId, userId };
  const { id: projectId } = await addProject(deps, whose, {
    ...{ name, company_name: name, specialization: "чай и посуда", website_url: website ?? null },
  });
  const { id: categoryId } = await addCategory(deps, whose, projectId, { name: "Листовой чай" });
  return { projectId, categoryId };
}

/** Whether the words are anywhere in what the engine keeps of its chats. */
export async function isKept({ sql }: SeoBotHarness, words: string): Promise<boolean> {
  const found = await sql`
    select from dialogs.dialogues d where strpos(to_jsonb(d)::text, ${words}) > 0
    union all select from dialogs.inbox i where strpos(to_jsonb(i)::text, ${words}) > 0
    union all select from dialogs.kept k where strpos(to_jsonb(k)::text, ${words}) > 0`;
  return found.length > 0;
}

/** Whether the chat shows the words to anybody who looks at it now. */
export async function isReadable(person: SeoPerson, words: string): Promise<boolean> {
  return (await person.messages()).some(({ text }) => text.includes(words));
}

/** Says something, and returns the screen once the bot has answered. */
export async function answer(person: SeoPerson, text: string): Promise<string> {
  await person.say(text);
  return (await person.screen()).text;
}

export async function pressed(person: SeoPerson, label: string): Promise<string> {
  await person.press(label);
  return (await person.screen()).text;
}
