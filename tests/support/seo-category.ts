import { adjust } from "../../src/billing/index.ts";
import { systemClock } from "../../src/kernel/clock/index.ts";
import { addCategory } from "../../src/seo/categories/categories.ts";
import { addProject } from "../../src/seo/projects/projects.ts";
import type { SeoBotHarness, SeoPerson } from "./seo-bot.ts";

interface Given {
  readonly language?: "ru" | "en";
  readonly city?: string;
  readonly site?: string;
  readonly balance?: number;
  readonly specialization?: string;
}

export interface Owner {
  readonly person: SeoPerson;
  readonly deps: { readonly sql: SeoBotHarness["sql"]; readonly clock: typeof systemClock };
  readonly whose: { readonly workspaceId: string; readonly userId: number };
  readonly projectId: number;
  readonly categoryId: number;
}

/** A person who has met the bot, with a project and a category. */
export async function aCategoryOwner(
  { sql, workspaceId, person: newcomer }: SeoBotHarness,
  { language = "ru", city, site, balance = 1_500, specialization = "весовой чай и посуда" }: Given = {},
): Promise<Owner> {
  const person = await newcomer({ language });
  await person.say("/start");
  await person.sees(language === "ru" ? "Баланс" : "alance");
  const deps = { sql, clock: systemClock };
  const whose = { workspaceId, userId: person.id };
  const project = await addProject(deps, whose, {
    ...{ name: "Чайная", company_name: "Два листа", specialization },
    ...{ company_city: city ?? null, website_url: site ?? null },
  });
  const category = await addCategory(deps, whose, project.id, { name: "Зелёный чай" });
  const tokens = balance - 1_500;
  if (tokens !== 0)
    await adjust(deps, workspaceId, { userId: person.id, tokens }, { operator: "test", reason: "a test" });
  return { person, deps, whose, projectId: project.id, categoryId: category.id };
}
