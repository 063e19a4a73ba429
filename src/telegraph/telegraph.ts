import { setTimeout as sleep } from "node:timers/promises";
import { createLossLog, type Document, type Loss } from "../content/index.ts";
import { cut } from "../kernel/words/index.ts";
import type { AccountDeps } from "./account.ts";
import { call, type Patience, twice } from "./call.ts";
import { limits } from "./limits.ts";
import { type Made, makePage, type PageFields, pageShape, settled } from "./make-page.ts";
import type { PageResult } from "./result.ts";
import { shortened } from "./shorten.ts";
import { type Language, texts } from "./texts.ts";
import { type ArticlePicture, toNodes } from "./to-nodes.ts";

/** An article for a preview before it is published. */
export interface Preview {
  readonly title: string;
  readonly document: Document;
  readonly pictures: readonly ArticlePicture[];
  readonly author?: { readonly name: string; readonly url?: string };
  readonly language: Language;
}

/** Previews of articles on telegra.ph. Failures are part of the result, never thrown. */
export interface Telegraph {
  /** Creates at most one page per call. */
  create(preview: Preview, patience: Patience): Promise<PageResult>;
  /** Replaces the content of a page; its address stays. */
  edit(path: string, preview: Preview, patience: Patience): Promise<PageResult>;
  /** Telegraph cannot delete pages: the page keeps its address and says that the preview was removed. */
  remove(path: string, language: Language, patience: Patience): Promise<PageResult>;
}

export type TelegraphDeps = Omit<AccountDeps, "pause"> & Partial<Pick<AccountDeps, "pause">>;

export function createTelegraph(given: TelegraphDeps): Telegraph {
  const deps: AccountDeps = { pause: pauseUnlessAborted, ...given };

  async function edit(path: string, fields: PageFields, patience: Patience): Promise<Made> {
    const access_token = await deps.keeper.token();
    // Without a token, no page can be ours.
    if (access_token === undefined)
      return { kind: "failed", failure: { code: "not_editable", providerCode: "ACCESS_TOKEN_INVALID" } };
    const method = `editPage/${encodeURIComponent(path)}`;
    const edited = await twice(() => call(deps, method, { access_token, ...fields }, pageShape, patience));
    return edited.kind === "ok" ? edited : settled(edited);
  }

  return {
    async create(preview, patience) {
      const { fields, losses } = laidOut(preview);
      return withLosses(await makePage(deps, fields, patience), losses);
    },
    async edit(path, preview, patience) {
      const { fields, losses } = laidOut(preview);
      return withLosses(await edit(path, fields, patience), losses);
    },
    async remove(path, language, patience) {
      const { title, text } = texts[language].removed;
      const content = [{ tag: "p", children: [text] }];
      const fields = { title, author_name: "", author_url: "", content };
      return withLosses(await edit(path, fields, patience), []);
    },
  };
}

function laidOut({ title, document, pictures, author, language }: Preview): {
  readonly fields: PageFields;
  readonly losses: readonly Loss[];
} {
  const { nodes, losses } = toNodes(document, pictures);
  const fitted = shortened(nodes, language);
  const more = createLossLog();
  if (fitted.shortened) more.add("text_shortened");
  // Telegraph drops line ends and double spaces, and a page is found again by its title.
  const plain = title.replace(/\s+/g, " ").trim();
  const url = author?.url ?? "";
  return {
    fields: {
      title: cut(plain, limits.title).trim() || texts[language].untitled,
      author_name: cut(author?.name ?? "", limits.authorName),
      author_url: url.length <= limits.authorUrl ? url : "",
      content: fitted.nodes,
    },
    losses: [...losses, ...more.losses],
  };
}

function withLosses(made: Made, losses: readonly Loss[]): PageResult {
  return made.kind === "ok" ? { kind: "ok", url: made.result.url, path: made.result.path, losses } : made;
}

async function pauseUnlessAborted(ms: number, signal: AbortSignal | undefined): Promise<void> {
  // An abort ends the wait; the caller checks the signal.
  await sleep(ms, undefined, signal && { signal }).catch(() => {});
}
