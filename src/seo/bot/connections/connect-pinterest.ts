/** Connects a board of Pinterest: the person gives access in the browser, comes back by a link, and chooses a board. */
import { z } from "zod";
import { beginProductConsent, consentGiven, forgetConsent } from "../../../delivery/index.ts";
import type { AskState, WorkState } from "../../../dialogs/index.ts";
import { ownerOf } from "../../connections/connect.ts";
import { findingWords } from "../../connections/words.ts";
import type { Said } from "../../said.ts";
import { type BotServices, whoseOf } from "../services.ts";
import { both, type Texts, texts } from "../texts/index.ts";
import { botUsername } from "./bot-username.ts";
import { type Connecting, type ConnectWork, connectNow, nothingSaid, said, targetsOf } from "./connecting.ts";
import { listPlaces, placeItems, placePager, places, reasonOf } from "./places.ts";

const platform = "pinterest";

const answers = z.object({
  /** The page that asks for access. */
  link: z.string(),
  /** By which what was granted is fetched: the tokens themselves never come into the chat. */
  nonce: z.string(),
  boards: places,
  page: z.int(),
  board: z.string(),
  shared: z.boolean(),
  said,
  /** Whether only time helps: Pinterest limits requests. */
  limited: z.boolean(),
});
export const pinterestAnswers = z.object({ pinterest: answers });
export type PinterestAnswers = z.infer<typeof pinterestAnswers>;
export const noPinterest: PinterestAnswers = {
  pinterest: {
    ...{ link: "", nonce: "", boards: [], page: 1, board: "" },
    ...{ shared: false, said: nothingSaid, limited: false },
  },
};

type Role = "opening" | "oauth_callback" | "listing" | "select_board" | "connecting" | "elsewhere" | "failed";

export interface PinterestConnecting<Data extends PinterestAnswers, Name extends string>
  extends Connecting<Data, Name, Role> {
  /** What is asked, if not what the flow of its own asks. */
  readonly ask?: (t: Texts) => Readonly<Record<"oauth_callback" | "select_board", string>>;
}

const prefix = "pinterest_auth_";

/**
 * States for the flow to place under its own names: `opening` (where it begins) → `oauth_callback` → `listing` → `select_board` →
 * `connecting`.
 */
export function connectPinterest<Data extends PinterestAnswers, Name extends string>(
  given: PinterestConnecting<Data, Name>,
) {
  const use: PinterestConnecting<PinterestAnswers, Name> = given;
  const { names, ask = (t) => t.connections.pinterest, beside = {} } = use;

  const opening: WorkState<PinterestAnswers, Name, BotServices> = {
    ask: both((t) => t.connections.pinterest.opening),
    to: [names.oauth_callback, names.failed],
    async work(work) {
      const { services, workspaceId } = work;
      if (services.platforms.platformOf(platform).consent?.missing !== undefined)
        return { to: names.failed, data: { pinterest: refused(both((t) => t.connections.pinterest.off)) } };
      const owner = ownerOf(whoseOf(work));
      const bot = await botUsername(services, work);
      const { url, nonce } = await beginProductConsent(services.consent, workspaceId, {
        platform,
        owner,
        bot,
      });
      return {
        to: names.oauth_callback,
        data: { pinterest: { ...noPinterest.pinterest, link: url, nonce } },
      };
    },
    failed: { to: names.failed, text: both((t) => t.common.brokenFlow) },
  };

  const oauth_callback: Answer<Name> = {
    ask: both((t) => ask(t).oauth_callback),
    links: [
      { label: both((t) => t.connections.pinterest.authorise), url: ({ pinterest }) => pinterest.link },
    ],
    commands: {
      [`start:${prefix}`]: {
        to: names.listing,
        take: ({ data }, argument) => ({
          data: { pinterest: { ...data.pinterest, nonce: argument.slice(prefix.length) } },
        }),
      },
    },
  };

  const listing: WorkState<PinterestAnswers, Name, BotServices> = {
    ask: both((t) => t.connections.pinterest.listing),
    to: [names.select_board, names.connecting, names.failed],
    async work(work) {
      const { pinterest } = work.data;
      const granted = await grantOf(work);
      if (!granted)
        return {
          to: names.failed,
          data: { pinterest: refused(both((t) => t.connections.pinterest.notGranted)) },
        };
      // A connection that gets another account keeps its board.
      if (use.connectionId?.(work.data) !== undefined) return { to: names.connecting };
      const listed = await listPlaces(work.services, platform, granted);
      if (!listed.ok) {
        const { code } = listed.error;
        const lost = lostAccess[code];
        if (lost) return { to: names.failed, data: { pinterest: refused(lost) } };
        const kept = { ...pinterest, said: reasonOf(listed.error), limited: code === "rate_limited" };
        return { to: names.failed, data: { pinterest: kept } };
      }
      const boards = listed.places.map(({ id, title }) => ({ id, title }));
      if (boards.length === 0) {
        const none = both((t) => t.connections.pinterest.noBoards);
        return { to: names.failed, data: { pinterest: { ...pinterest, said: none, limited: false } } };
      }
      return { to: names.select_board, data: { pinterest: { ...pinterest, boards, page: 1 } } };
    },
    failed: { to: names.failed, text: both((t) => t.common.brokenFlow) },
  };

  const select_board: Answer<Name> = {
    ask: both((t) => ask(t).select_board),
    noBack: true,
    buttons: {
      board: {
        label: both(() => ""),
        each: ({ pinterest }, language) => placeItems(pinterest.boards, pinterest.page, language),
        to: names.connecting,
        press: ({ data }, board) => ({ data: { pinterest: { ...data.pinterest, board, shared: false } } }),
      },
      page: {
        label: both(() => ""),
        each: ({ pinterest }) => placePager(pinterest.boards, pinterest.page),
        columns: 3,
        to: "@stay",
        press: ({ data }, page) => ({ data: { pinterest: { ...data.pinterest, page: Number(page) } } }),
      },
    },
  };

  const connecting: WorkState<PinterestAnswers, Name, BotServices> = {
    ask: both((t) => t.connections.checking),
    to: targetsOf(use.to, names.elsewhere, names.failed),
    async work(work) {
      const { pinterest } = work.data;
      const granted = await grantOf(work);
      if (!granted)
        return {
          to: names.failed,
          data: { pinterest: refused(both((t) => t.connections.pinterest.notGranted)) },
        };
      const place = { projectId: use.projectId(work.data), connectionId: use.connectionId?.(work.data) };
      const made = await connectNow(work, place, {
        ...{ platform_type: platform, fields: { ...granted }, shared: pinterest.shared },
        ...(pinterest.board !== "" && { target: pinterest.board }),
      });
      if (!made.ok) {
        const isElsewhere = made.problem.code === "connected_elsewhere";
        const to = isElsewhere ? names.elsewhere : names.failed;
        return { to, data: { pinterest: { ...pinterest, said: made.problem.said, limited: false } } };
      }
      const next = await use.connected(work, made.value);
      await forgetConsent(work.services.consent, { platform, nonce: pinterest.nonce });
      return next.refuse === undefined ? { ...next, data: { ...next.data, ...noPinterest } } : next;
    },
    failed: { to: names.failed, text: both((t) => t.common.brokenFlow) },
  };

  const other: NonNullable<Answer<Name>["buttons"]>[string] = {
    label: both((t) => t.connections.pinterest.otherBoard),
    when: ({ pinterest }) => pinterest.boards.length > 1,
    to: names.select_board,
  };
  const elsewhere: Answer<Name> = {
    ask: ({ pinterest }, language) => texts[language].connections.elsewhere(pinterest.said[language]),
    noBack: true,
    buttons: {
      shared: {
        label: both((t) => t.connections.allTheSame),
        to: names.connecting,
        style: "success",
        press: ({ data }) => ({ data: { pinterest: { ...data.pinterest, shared: true } } }),
      },
      other,
    },
  };
  const failed: Answer<Name> = {
    ask({ pinterest }, language) {
      const say = texts[language].connections.pinterest;
      return pinterest.limited ? say.limited : say.failed(pinterest.said[language]);
    },
    noBack: true,
    buttons: {
      later: {
        label: both((t) => t.connections.pinterest.later),
        when: ({ pinterest }) => pinterest.limited,
        to: names.listing,
      },
      again: {
        label: both((t) => t.connections.pinterest.again),
        style: "primary",
        when: ({ pinterest }) => !pinterest.limited,
        to: [names.opening, names.listing],
        press: ({ data }) => ({ to: data.pinterest.nonce === "" ? names.opening : names.listing }),
      },
      other,
      ...beside,
    },
  };
  return { opening, oauth_callback, listing, select_board, connecting, elsewhere, failed };
}

type Answer<Name extends string> = AskState<PinterestAnswers, Name, BotServices>;

/** Access has to be given anew. */
const refused = (words: Said) => ({ ...noPinterest.pinterest, said: words });

/** Errors after which the person has to authorise again. */
const lostAccess: Readonly<Record<string, Said>> = {
  unauthorized: findingWords(platform, "token_refused", { target: "Pinterest" }),
  permission_missing: findingWords(platform, "may_not_look", { target: "Pinterest" }),
};

/** What the person has granted in the browser, while it is kept. */
function grantOf(work: ConnectWork<PinterestAnswers>) {
  const { services, workspaceId, data } = work;
  const { nonce } = data.pinterest;
  return consentGiven(services.consent, workspaceId, { platform, owner: ownerOf(whoseOf(work)), nonce });
}
