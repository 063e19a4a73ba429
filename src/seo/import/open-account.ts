/** The account in an old connection: its fields as our platforms know them, and what it said of the site. */
import { type FernetKey, openToken } from "../../kernel/crypto/index.ts";
import {
  type CredentialDefinition,
  checkCredential,
  credentialText,
  definitionOf,
} from "../../platforms/index.ts";
import { siteMetadata } from "../connections/site-metadata.ts";
import type { PlatformType } from "../settings/shape.ts";

export type OpenedAccount =
  | {
      readonly ok: true;
      readonly secret: string;
      readonly metadata: Readonly<Record<string, unknown>>;
      readonly title?: string;
    }
  | { readonly ok: false; readonly why: "key" | "content"; readonly message: string };

type Fields = Readonly<Record<string, unknown>>;

/** Our field to that of the document's `credentials`. */
const accountFields: Readonly<Record<PlatformType, Readonly<Record<string, string>>>> = {
  wordpress: { url: "url", login: "login", app_password: "app_password" },
  telegram: { token: "bot_token" },
  vk: { token: "access_token" },
  pinterest: { access_token: "access_token", refresh_token: "refresh_token", expires_at: "expires_at" },
};

/** How a site publishes stood among its credentials. */
const siteFields = {
  ...{ categories: "wp_categories", tags: "wp_tags", robots: "seo_robots" },
  ...{ canonical: "seo_canonical", schema_type: "schema_type" },
} as const;

const titles: Readonly<Record<PlatformType, string | undefined>> = {
  ...{ wordpress: undefined, telegram: "channel_username", vk: "group_name", pinterest: "board_name" },
};

export function openAccount(platform: PlatformType, sealed: string, key: FernetKey): OpenedAccount {
  const opened = openToken(sealed, key);
  if (!opened.ok) return { ok: false, why: "key", message: "the old key does not open its credentials" };
  const old = fieldsIn(opened.message.toString("utf8"));
  if (!old) return { ok: false, why: "content", message: "its credentials are no JSON object" };
  const definition: CredentialDefinition = definitionOf(platform).credential;
  const given = Object.entries(accountFields[platform]).map(([ours, theirs]) => [ours, old[theirs]] as const);
  const checked = checkCredential(definition, Object.fromEntries(given));
  if (!checked.ok) {
    const faults = checked.faults.map(({ field, message }) => `${field ?? "the account"} ${message}`);
    return { ok: false, why: "content", message: `its account cannot be used: ${faults.join("; ")}` };
  }
  const title = old[titles[platform] ?? ""];
  return {
    ...{ ok: true, secret: credentialText(definition, checked.credential) },
    metadata: platform === "wordpress" ? siteMetadataIn(old) : {},
    ...(typeof title === "string" && title !== "" && { title }),
  };
}

function fieldsIn(text: string): Fields | undefined {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === "object" && read !== null && !Array.isArray(read) ? (read as Fields) : undefined;
  } catch {
    return undefined;
  }
}

/** Field by field: one that cannot be used does not take the others with it. */
function siteMetadataIn(old: Fields): Fields {
  const usable = Object.entries(siteFields).flatMap(([ours, theirs]) => {
    const value = old[theirs];
    const empty =
      value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);
    const read = empty ? undefined : siteMetadata.safeParse({ [ours]: value }).data;
    return read ? Object.entries(read) : [];
  });
  return Object.fromEntries(usable);
}
