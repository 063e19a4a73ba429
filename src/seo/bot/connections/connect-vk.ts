/** Connects a community of VK: a token, then one of the communities that it may publish to. */
import { z } from "zod";
import type { AskState, WorkState } from "../../../dialogs/index.ts";
import { definitionOf } from "../../../platforms/index.ts";
import { fieldFaults, findingWords } from "../../connections/words.ts";
import type { Said } from "../../said.ts";
import type { BotServices } from "../services.ts";
import { both, type Texts, texts } from "../texts/index.ts";
import { type Connecting, connectNow, nothingSaid, said, seal, targetsOf, unseal } from "./connecting.ts";
import { listPlaces, placeItems, placePager, places, reasonOf } from "./places.ts";

const answers = z.object({
  /** Sealed. */
  token: z.string(),
  groups: places,
  page: z.int(),
  /** The chosen community's number. */
  group: z.string(),
  shared: z.boolean(),
  said,
});
export const vkAnswers = z.object({ vk: answers });
export type VkAnswers = z.infer<typeof vkAnswers>;
export const noVk: VkAnswers = {
  vk: { token: "", groups: [], page: 1, group: "", shared: false, said: nothingSaid },
};

type Role = "token" | "listing" | "select_group" | "connecting" | "elsewhere" | "failed";

export interface VkConnecting<Data extends VkAnswers, Name extends string>
  extends Connecting<Data, Name, Role> {
  /** What is asked, if not what the flow of its own asks. */
  readonly ask?: (t: Texts) => Readonly<Record<"token" | "select_group", string>>;
}

/** States for the flow to place under its own names: `token` → `listing` → `select_group` → `connecting`. */
export function connectVk<Data extends VkAnswers, Name extends string>(given: VkConnecting<Data, Name>) {
  const use: VkConnecting<VkAnswers, Name> = given;
  const { names, ask = (t) => t.connections.vk, beside = {} } = use;

  const token: Answer<Name> = {
    ask: both((t) => ask(t).token),
    links: [
      {
        label: both((t) => t.connections.vk.openGuide),
        url: () => "https://dev.vk.com/ru/api/access-token/getting-started",
      },
    ],
    text: {
      to: names.listing,
      secret: true,
      take(turn, typed) {
        const read = tokenSchema?.safeParse(typed.trim());
        return read?.success
          ? { data: { vk: { ...noVk.vk, token: seal(turn, read.data) } } }
          : { refuse: badToken[turn.language] };
      },
    },
  };

  const listing: WorkState<VkAnswers, Name, BotServices> = {
    ask: both((t) => t.connections.vk.listing),
    to: [names.select_group, names.connecting, names.token, names.failed],
    async work(work) {
      const { vk } = work.data;
      // A connection that gets another account keeps its community.
      if (use.connectionId?.(work.data) !== undefined) return { to: names.connecting };
      const listed = await listPlaces(work.services, "vk", { token: unseal(work, vk.token) });
      if (!listed.ok) {
        const wrongKey = keyFindings[listed.error.code];
        if (wrongKey) return { to: names.token, notice: wrongKey[work.language] };
        return { to: names.failed, data: { vk: { ...vk, said: apiSaid(reasonOf(listed.error)) } } };
      }
      if (listed.places.length === 0)
        return { to: names.token, notice: texts[work.language].connections.vk.noGroups };
      return { to: names.select_group, data: { vk: { ...vk, groups: listed.places, page: 1 } } };
    },
    failed: { to: names.failed, text: both((t) => t.common.brokenFlow) },
  };

  const select_group: Answer<Name> = {
    ask: both((t) => ask(t).select_group),
    buttons: {
      group: {
        label: both(() => ""),
        each: ({ vk }, language) => placeItems(vk.groups, vk.page, language),
        to: names.connecting,
        press: ({ data }, group) => ({ data: { vk: { ...data.vk, group, shared: false } } }),
      },
      page: {
        label: both(() => ""),
        each: ({ vk }) => placePager(vk.groups, vk.page),
        columns: 3,
        to: "@stay",
        press: ({ data }, page) => ({ data: { vk: { ...data.vk, page: Number(page) } } }),
      },
    },
  };

  const connecting: WorkState<VkAnswers, Name, BotServices> = {
    ask: both((t) => t.connections.checking),
    to: targetsOf(use.to, names.elsewhere, names.failed),
    async work(work) {
      const { vk } = work.data;
      const place = { projectId: use.projectId(work.data), connectionId: use.connectionId?.(work.data) };
      const made = await connectNow(work, place, {
        ...{ platform_type: "vk", shared: vk.shared, ...(vk.group !== "" && { target: vk.group }) },
        fields: { token: unseal(work, vk.token) },
      });
      if (!made.ok) {
        const to = made.problem.code === "connected_elsewhere" ? names.elsewhere : names.failed;
        return { to, data: { vk: { ...vk, said: made.problem.said } } };
      }
      const next = await use.connected(work, made.value);
      return next.refuse === undefined ? { ...next, data: { ...next.data, ...noVk } } : next;
    },
    failed: { to: names.failed, text: both((t) => t.common.brokenFlow) },
  };

  const other: NonNullable<Answer<Name>["buttons"]>[string] = {
    label: both((t) => t.connections.vk.otherGroup),
    when: ({ vk }) => vk.groups.length > 1,
    to: names.select_group,
  };
  const elsewhere: Answer<Name> = {
    ask: ({ vk }, language) => texts[language].connections.elsewhere(vk.said[language]),
    noBack: true,
    buttons: {
      shared: {
        label: both((t) => t.connections.allTheSame),
        to: names.connecting,
        style: "success",
        press: ({ data }) => ({ data: { vk: { ...data.vk, shared: true } } }),
      },
      other,
    },
  };
  const failed: Answer<Name> = {
    ask: ({ vk }, language) => texts[language].connections.vk.failed(vk.said[language]),
    noBack: true,
    buttons: {
      again: {
        label: both((t) => t.common.again),
        style: "primary",
        to: [names.listing, names.connecting],
        press: ({ data }) => ({ to: data.vk.group === "" ? names.listing : names.connecting }),
      },
      other,
      token: { label: both((t) => t.connections.vk.reconnect), to: names.token },
      ...beside,
    },
  };
  return { token, listing, select_group, connecting, elsewhere, failed };
}

type Answer<Name extends string> = AskState<VkAnswers, Name, BotServices>;

const tokenSchema = definitionOf("vk").credential.fields.token?.schema;
const badToken: Said = fieldFaults.vk.token ?? nothingSaid;

/** Answers that are about the token itself. */
const keyFindings: Readonly<Record<string, Said>> = {
  unauthorized: findingWords("vk", "token_refused", { target: "" }),
  key_of_wrong_kind: findingWords("vk", "vk_id_key", { target: "" }),
};

const apiSaid = ({ ru, en }: Said): Said => ({
  ru: texts.ru.connections.vk.apiError(ru),
  en: texts.en.connections.vk.apiError(en),
});
