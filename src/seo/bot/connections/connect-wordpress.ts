/** Connects a WordPress site: its address, a login, an application password. */
import { z } from "zod";
import type { AskState, WorkState } from "../../../dialogs/index.ts";
import { definitionOf } from "../../../platforms/index.ts";
import { fieldFaults } from "../../connections/words.ts";
import { readProject } from "../../projects/projects.ts";
import type { Said } from "../../said.ts";
import { type BotServices, whoseOf } from "../services.ts";
import { both, type Texts, texts } from "../texts/index.ts";
import { type Connecting, connectNow, nothingSaid, said, seal, targetsOf, unseal } from "./connecting.ts";
import { siteAnswers } from "./site-answers.ts";

const answers = z.object({
  /** The address, https:// included. */
  site: z.string(),
  login: z.string(),
  /** Sealed. */
  password: z.string(),
  /** Although another project of this person has the site. */
  shared: z.boolean(),
  /** The project's own address, offered as an answer. */
  known: z.string(),
  said,
});
export const wordpressAnswers = z.object({ wordpress: answers });
export type WordPressAnswers = z.infer<typeof wordpressAnswers>;
export const noWordPress: WordPressAnswers = {
  wordpress: { site: "", login: "", password: "", shared: false, known: "", said: nothingSaid },
};

type Role = "url" | "probing" | "login" | "password" | "checking" | "elsewhere" | "failed";

export interface WordPressConnecting<Data extends WordPressAnswers, Name extends string>
  extends Connecting<Data, Name, Role> {
  /** What is asked, if not what the flow of its own asks. */
  readonly ask?: (t: Texts) => Readonly<Record<"url" | "password", string>> & { login(site: string): string };
  /** Whether the project's own address is taken without a question. */
  readonly takesProjectSite?: boolean;
}

/**
 * States for the flow to place under its own names: `url` → `probing` → `login` → `password` → `checking`; `elsewhere` asks about a
 * site that another project has, `failed` tells why it did not work out.
 */
export function connectWordPress<Data extends WordPressAnswers, Name extends string>(
  given: WordPressConnecting<Data, Name>,
) {
  const use: WordPressConnecting<WordPressAnswers, Name> = given;
  const { names, ask = (t) => t.connections.wordpress, takesProjectSite = false, beside = {} } = use;

  const known: Answer<Name>["prepare"] = {
    ...(takesProjectSite && { to: [names.probing] }),
    async take(turn) {
      const { wordpress } = turn.data;
      const project = await readProject(turn.sql, whoseOf(turn), use.projectId(turn.data));
      const site = fieldOf("url", project.website_url ?? "") ?? "";
      const isFirst = wordpress.site === "" && site !== "";
      return takesProjectSite && isFirst
        ? { to: names.probing, data: { wordpress: { ...wordpress, site, known: site } } }
        : { data: { wordpress: { ...wordpress, known: site } } };
    },
  };
  const url: Answer<Name> = {
    ask: both((t) => ask(t).url),
    prepare: known,
    text: {
      to: names.probing,
      take({ data, language }, typed) {
        const site = fieldOf("url", typed);
        return site === undefined ? { refuse: refusalOf("url")[language] } : { data: withSite(data, site) };
      },
    },
    buttons: {
      known: {
        label: ({ wordpress }) => nameOf(wordpress.known),
        when: ({ wordpress }) => wordpress.known !== "",
        to: names.probing,
        press: ({ data }) => ({ data: withSite(data, data.wordpress.known) }),
      },
    },
  };

  const probing: WorkState<WordPressAnswers, Name, BotServices> = {
    ask: both((t) => t.connections.wordpress.probing),
    to: [names.login, names.url],
    async work({ data, services, signal, language }) {
      if (await siteAnswers(services, data.wordpress.site, signal)) return { to: names.login };
      return { to: names.url, notice: refusalOf("url")[language] };
    },
    failed: { to: names.url, text: refusalOf("url") },
  };

  const login: Answer<Name> = {
    ask: ({ wordpress }, language) => ask(texts[language]).login(nameOf(wordpress.site)),
    text: {
      to: names.password,
      take({ data, language }, typed) {
        const name = fieldOf("login", typed);
        return name === undefined
          ? { refuse: refusalOf("login")[language] }
          : { data: { wordpress: { ...data.wordpress, login: name } } };
      },
    },
  };

  const password: Answer<Name> = {
    ask: both((t) => ask(t).password),
    links: [
      {
        label: both((t) => t.connections.wordpress.openProfile),
        url: ({ wordpress }) => `${wordpress.site}/wp-admin/profile.php#application-passwords-section`,
      },
    ],
    text: {
      to: names.checking,
      secret: true,
      take(turn, typed) {
        const secret = fieldOf("app_password", typed);
        return secret === undefined
          ? { refuse: refusalOf("app_password")[turn.language] }
          : { data: { wordpress: { ...turn.data.wordpress, password: seal(turn, secret) } } };
      },
    },
  };

  const checking: WorkState<WordPressAnswers, Name, BotServices> = {
    ask: both((t) => t.connections.checking),
    to: targetsOf(use.to, names.elsewhere, names.failed),
    async work(work) {
      const { wordpress } = work.data;
      const place = { projectId: use.projectId(work.data), connectionId: use.connectionId?.(work.data) };
      const made = await connectNow(work, place, {
        platform_type: "wordpress",
        fields: {
          url: wordpress.site,
          login: wordpress.login,
          app_password: unseal(work, wordpress.password),
        },
        shared: wordpress.shared,
      });
      if (!made.ok) {
        const to = made.problem.code === "connected_elsewhere" ? names.elsewhere : names.failed;
        return { to, data: { wordpress: { ...wordpress, said: made.problem.said } } };
      }
      const next = await use.connected(work, made.value);
      return next.refuse === undefined ? { ...next, data: { ...next.data, ...noWordPress } } : next;
    },
    failed: { to: names.failed, text: both((t) => t.common.brokenFlow) },
  };

  const other: Buttons<Name>[string] = {
    label: both((t) => t.connections.wordpress.otherSite),
    to: names.url,
  };
  const elsewhere: Answer<Name> = {
    ask: ({ wordpress }, language) => texts[language].connections.elsewhere(wordpress.said[language]),
    noBack: true,
    buttons: {
      shared: {
        label: both((t) => t.connections.allTheSame),
        to: names.checking,
        style: "success",
        press: ({ data }) => ({ data: { wordpress: { ...data.wordpress, shared: true } } }),
      },
      other,
    },
  };
  const failed: Answer<Name> = {
    ask: ({ wordpress }, language) =>
      texts[language].connections.wordpress.failed(nameOf(wordpress.site), wordpress.said[language]),
    noBack: true,
    buttons: {
      again: { label: both((t) => t.connections.tryAgain), to: names.checking, style: "primary" },
      other,
      password: { label: both((t) => t.connections.wordpress.otherPassword), to: names.login },
      ...beside,
    },
  };
  return { url, probing, login, password, checking, elsewhere, failed };
}

type Answer<Name extends string> = AskState<WordPressAnswers, Name, BotServices>;
type Buttons<Name extends string> = NonNullable<Answer<Name>["buttons"]>;

const { fields } = definitionOf("wordpress").credential;
const longest = 500;

function fieldOf(name: "url" | "login" | "app_password", typed: string): string | undefined {
  const read = typed.length <= longest ? fields[name]?.schema.safeParse(typed) : undefined;
  return read?.data;
}

const refusalOf = (name: "url" | "login" | "app_password"): Said =>
  fieldFaults.wordpress[name] ?? nothingSaid;

const withSite = ({ wordpress }: WordPressAnswers, site: string): WordPressAnswers => ({
  wordpress: { ...wordpress, site, shared: false },
});

/** A site as people call it. */
const nameOf = (address: string) => address.replace(/^https?:\/\//, "");
