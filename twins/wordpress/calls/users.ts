import { createHash } from "node:crypto";
import { checkArgs, pageArgs } from "../args.ts";
import { RestError } from "../errors.ts";
import type { Call, Reply } from "../request.ts";
import { capabilities } from "../roles.ts";
import { homeOf, restUrl } from "../twin.ts";

export async function me(call: Call): Promise<Reply> {
  const { user, site, params, wordpress } = call;
  checkArgs(pageArgs, params);
  if (!user) throw new RestError(401, "rest_not_logged_in", "You are not currently logged in.");
  const slug = user.login.toLowerCase();
  const shown = {
    id: user.id,
    name: user.name,
    url: "",
    description: "",
    link: `${homeOf(wordpress, site)}/author/${slug}/`,
    slug,
    avatar_urls: avatars(user.email),
    meta: [],
    _links: {
      self: [{ href: restUrl(wordpress, site, `/wp/v2/users/${user.id}`) }],
      collection: [{ href: restUrl(wordpress, site, "/wp/v2/users") }],
    },
  };
  if (params.context !== "edit") return { body: shown };
  const has = Object.fromEntries([...capabilities[user.role], user.role].map((each) => [each, true]));
  return {
    body: {
      ...shown,
      username: user.login,
      first_name: "",
      last_name: "",
      email: user.email,
      locale: site.options.locale,
      nickname: user.name,
      roles: [user.role],
      registered_date: "2026-01-01T00:00:00+00:00",
      capabilities: has,
      extra_capabilities: { [user.role]: true },
    },
  };
}

function avatars(email: string): Record<string, string> {
  const hash = createHash("md5").update(email.trim().toLowerCase()).digest("hex");
  return Object.fromEntries(
    [24, 48, 96].map((size) => [size, `https://secure.gravatar.com/avatar/${hash}?s=${size}&d=mm&r=g`]),
  );
}
