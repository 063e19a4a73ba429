/** Content settings of a category, and of one platform of it, by tapping alone. */
import { grid, type ScreenKey, type View } from "../../../dialogs/index.ts";
import { readCategory } from "../../categories/categories.ts";
import { platformNames } from "../../settings/platform-names.ts";
import { changeSettings, readSettings, resetSettings } from "../../settings/settings.ts";
import { type ContentSettings, type PlatformType, platformTypes } from "../../settings/shape.ts";
import { action, type BotVisit, inStep, screen, whoseOf } from "../services.ts";
import { texts } from "../texts/index.ts";
import { ifFound } from "../told.ts";
import { advancedFields, type Field, type FieldName, fields, isFieldName, plainFields } from "./fields.ts";

/** In addresses: the category itself, or one of its platforms. */
const ofCategory = "all";

const menuTargets = [
  ...["content:{id}:{@scope}:{@field}", "content:{id}:{@scope}:more", "content:{id}:{@scope}:reset"],
  "category:{id}:card",
];

export const categoryContent = screen("category:{id}:content", {
  to: menuTargets,
  show: ({ id }, visit) => menu(visit, id, ofCategory),
});

export const platformContent = screen("category:{id}:platform:{@platform}:content", {
  to: menuTargets,
  show: ({ id, platform }, visit) => (platform === ofCategory ? undefined : menu(visit, id, platform)),
});

export const more = screen("content:{id}:{@scope}:more", {
  to: [
    "content:{id}:{@scope}:{@field}",
    "category:{id}:content",
    "category:{id}:platform:{@platform}:content",
  ],
  async show({ id, scope }, visit) {
    const found = await read(visit, id, scope);
    if (!found) return undefined;
    const say = texts[visit.language].content;
    return {
      text: [titleOf(visit, found), "", say.more.text, ...lines(visit, found, advancedFields)].join("\n"),
      buttons: [
        ...grid(
          advancedFields.map((name) => fieldKey(visit, found, name)),
          2,
        ),
        [back(visit, found)],
      ],
    };
  },
});

export const choice = screen("content:{id}:{@scope}:{@field}", {
  to: [
    ...["content:{id}:{@scope}:{@field}:{option}", "content:{id}:{@scope}:more", "category:{id}:content"],
    "category:{id}:platform:{@platform}:content",
  ],
  async show({ id, scope, field: name }, visit) {
    const found = await read(visit, id, scope);
    if (!found || !isFieldName(name)) return undefined;
    const say = texts[visit.language].content;
    const field: Field = fields[name];
    const chosen = field.chosen(found.settings);
    const options = field.options(found.on).map((option, at) => ({
      label: `${chosen.includes(option) ? "✅ " : ""}${say.option(option)}`,
      to: `content:${id}:${scope}:${name}:${at}`,
    }));
    const isAdvanced = advancedFields.some((each) => each === name);
    return {
      text: [titleOf(visit, found), "", say.fields[name].ask, say.now(chosenText(visit, chosen))].join("\n"),
      buttons: [
        ...grid(options, field.columns),
        [isAdvanced ? { label: say.more.label, to: `content:${id}:${scope}:more` } : back(visit, found)],
      ],
    };
  },
});

export const choose = action("content:{id}:{@scope}:{@field}:{option}", {
  to: ["content:{id}:{@scope}:{@field}"],
  async act({ id, scope, field: name, option: at }, visit) {
    const found = await read(visit, id, scope);
    if (!found || !isFieldName(name)) return undefined;
    const field: Field = fields[name];
    const option = field.options(found.on)[at];
    if (option === undefined) return undefined;
    const to = `content:${id}:${scope}:${name}`;
    const changes = field.tapped(found.settings, option);
    if (!changes) return { to, toast: texts[visit.language].content.oneAtLeast };
    await changeSettings(inStep(visit), whoseOf(visit), id, found.on, changes);
    return { to };
  },
});

export const reset = action("content:{id}:{@scope}:reset", {
  to: ["category:{id}:content", "category:{id}:platform:{@platform}:content"],
  async act({ id, scope }, visit) {
    const found = await read(visit, id, scope);
    if (!found) return undefined;
    await resetSettings(inStep(visit), whoseOf(visit), id, found.on);
    return { to: home(found), notice: texts[visit.language].content.resetDone };
  },
});

interface Found {
  readonly id: number;
  readonly name: string;
  readonly scope: string;
  readonly on: PlatformType | undefined;
  readonly settings: ContentSettings;
}

/** Undefined if there is no such category or platform, or it is not this person's. */
async function read(visit: BotVisit, id: number, scope: string): Promise<Found | undefined> {
  const on = platformTypes.find((each) => each === scope);
  if (!on && scope !== ofCategory) return undefined;
  const { sql } = inStep(visit);
  return ifFound(async () => {
    const { name } = await readCategory(sql, whoseOf(visit), id);
    return { id, name, scope, on, settings: await readSettings(sql, whoseOf(visit), id, on) };
  });
}

async function menu(visit: BotVisit, id: number, scope: string): Promise<View | undefined> {
  const found = await read(visit, id, scope);
  if (!found) return undefined;
  const { content: say, common } = texts[visit.language];
  return {
    text: [titleOf(visit, found), "", ...lines(visit, found, plainFields), "", say.hint].join("\n"),
    buttons: [
      ...grid(
        plainFields.map((name) => fieldKey(visit, found, name)),
        2,
      ),
      [{ label: say.more.label, to: `content:${id}:${scope}:more` }],
      isOwn(found)
        ? [{ label: found.on ? say.resetToCategory : say.reset, to: `content:${id}:${scope}:reset` }]
        : [],
      [{ label: common.toCategory, to: `category:${id}:card` }],
    ],
  };
}

function isOwn({ on, settings: { image_from, text_from } }: Found): boolean {
  const own = on ? "platform" : "category";
  return image_from === own || text_from === own;
}

function titleOf({ language }: BotVisit, found: Found): string {
  const say = texts[language].content;
  const place = found.on ? `${found.name}, ${platformNames[found.on]}` : found.name;
  return `${say.title(place)}${found.on && isOwn(found) ? ` ${say.own}` : ""}`;
}

const lines = (visit: BotVisit, { settings }: Found, names: readonly FieldName[]) =>
  names.map((name) => {
    const field: Field = fields[name];
    return `${texts[visit.language].content.fields[name].label}: ${chosenText(visit, field.chosen(settings))}`;
  });

function chosenText({ language }: BotVisit, chosen: readonly string[]): string {
  const say = texts[language].content;
  return chosen.length === 0 ? say.anything : chosen.map(say.option).join(", ");
}

const fieldKey = ({ language }: BotVisit, { id, scope }: Found, name: FieldName): ScreenKey => ({
  label: texts[language].content.fields[name].label,
  to: `content:${id}:${scope}:${name}`,
});

const home = ({ id, on }: Found) => (on ? `category:${id}:platform:${on}:content` : `category:${id}:content`);

const back = ({ language }: BotVisit, found: Found): ScreenKey => ({
  label: texts[language].content.toSettings,
  to: home(found),
});
