import { z } from "zod";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import type { Whose } from "../people/whose.ts";
import { readProject } from "../projects/projects.ts";
import type { Said } from "../said.ts";

/** What the law wants below an advert on the internet: the word, who advertises, and the token of the operator of advertising data. */
export const markingSchema = z.object({ advertiser: z.string(), inn: z.string(), erid: z.string() });
export type Marking = z.infer<typeof markingSchema>;

/** As readers see it. */
export const markingLine = ({ advertiser, inn, erid }: Marking): string =>
  `Реклама. ${advertiser}, ИНН ${inn}. erid: ${erid}`;

export type ReadMarking =
  | { readonly ok: true; readonly marking: Marking }
  | { readonly ok: false; readonly said: Said };

/** Reads «ООО «Ромашка», ИНН 7707083893, erid 2VtzqwXyz», in any order, by commas or lines. */
export function parseMarking(typed: string): ReadMarking {
  const parts = typed
    .split(/[\n,;]+/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
  const inn = parts.map((part) => /^(?:ИНН|INN)?[\s:№]{0,3}(\d{10}|\d{12})$/iu.exec(part)?.[1]).find(Boolean);
  const erid = parts
    .map((part) => /^erid[\s:=]{0,3}([\w-]{5,64})$/i.exec(part)?.[1] ?? (isToken(part) ? part : undefined))
    .find(Boolean);
  const advertiser = parts.find(
    (part) => !part.includes(inn ?? "\n") && !part.includes(erid ?? "\n") && /\p{L}{2}/u.test(part),
  );
  if (!inn || !isInn(inn)) return { ok: false, said: faults.inn };
  if (!erid) return { ok: false, said: faults.erid };
  if (!advertiser || advertiser.length > longestName) return { ok: false, said: faults.advertiser };
  return { ok: true, marking: { advertiser, inn, erid } };
}

const longestName = 200;
/** Tokens have letters of both cases and digits, and no spaces. */
const isToken = (part: string) => /^[\w-]{5,64}$/.test(part) && /\d/.test(part) && /[A-Za-z]/.test(part);

const faults = {
  inn: {
    ru: "ИНН не подходит: нужно 10 цифр у компании или 12 у ИП. Проверьте и пришлите строку ещё раз.",
    en: "The tax number (INN) is wrong: 10 digits for a company, 12 for a sole trader. Check it and send the line again.",
  },
  erid: {
    ru: "Не вижу erid — токена рекламы из латинских букв и цифр. Добавьте его и пришлите строку ещё раз.",
    en: "There is no erid, the token of Latin letters and digits. Add it and send the line again.",
  },
  advertiser: {
    ru: "Не вижу, кто рекламодатель. Добавьте название компании или ИП и пришлите строку ещё раз.",
    en: "The advertiser is missing. Add the name of the company and send the line again.",
  },
} as const satisfies Readonly<Record<string, Said>>;

/** The last digits of a tax number are a sum of the others. */
export function isInn(inn: string): boolean {
  const digits = [...inn].map(Number);
  const sum = (weights: readonly number[]) =>
    (weights.reduce((all, weight, at) => all + weight * (digits[at] ?? 0), 0) % 11) % 10;
  if (/^\d{10}$/.test(inn)) return sum([2, 4, 10, 3, 5, 9, 4, 6, 8]) === digits[9];
  if (!/^\d{12}$/.test(inn)) return false;
  return (
    sum([7, 2, 4, 10, 3, 5, 9, 4, 6, 8]) === digits[10] &&
    sum([3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8]) === digits[11]
  );
}

/** The marking of a project's adverts; undefined if nobody has typed it yet. */
export async function projectMarking(
  sql: Sql | Transaction,
  { workspaceId, userId }: Whose,
  projectId: number,
): Promise<Marking | undefined> {
  const [row] = await sql<Marking[]>`
    select a.advertiser, a.inn, a.erid
    from seo.project_adverts a join seo.projects p on p.workspace_id = a.workspace_id and p.id = a.project_id
    where a.workspace_id = ${workspaceId} and p.user_id = ${userId} and a.project_id = ${projectId}`;
  return row;
}

/** Remembers it for the project. */
export async function keepMarking(
  { sql, clock }: { readonly sql: Sql; readonly clock: Clock },
  whose: Whose,
  projectId: number,
  { advertiser, inn, erid }: Marking,
): Promise<void> {
  await readProject(sql, whose, projectId);
  await sql`
    insert into seo.project_adverts (workspace_id, project_id, advertiser, inn, erid, changed_at)
    values (${whose.workspaceId}, ${projectId}, ${advertiser}, ${inn}, ${erid}, ${clock.now()})
    on conflict (workspace_id, project_id) do update set
      advertiser = excluded.advertiser, inn = excluded.inn, erid = excluded.erid, changed_at = excluded.changed_at`;
}
