import { RestError } from "./errors.ts";
import type { Site, User } from "./model.ts";

/**
 * The caller, by Basic credentials with an application password; undefined without credentials, and on some sites with
 * wrong ones.
 */
export function userOf(site: Site, authorization: string | undefined): User | undefined {
  const { applicationPasswords, badPassword, stripsAuthorization } = site.options;
  const given = stripsAuthorization ? undefined : basic(authorization);
  if (!given || applicationPasswords === "off") return undefined;
  try {
    return checked(site, given);
  } catch (error) {
    if (error instanceof RestError && badPassword === "ignored") return undefined;
    throw error;
  }
}

function checked(site: Site, { login, password }: Credentials): User {
  const isEmail = /^[^@\s]+@[^@\s.]+\.[^@\s]+$/.test(login);
  const user =
    site.users.find((each) => each.login.toLowerCase() === login.toLowerCase()) ??
    site.users.find((each) => isEmail && each.email.toLowerCase() === login.toLowerCase());
  if (!user)
    throw isEmail
      ? new RestError(
          401,
          "invalid_email",
          "<strong>Error:</strong> Unknown email address. Check again or try your username.",
        )
      : new RestError(
          401,
          "invalid_username",
          "<strong>Error:</strong> Unknown username. Check again or try your email address.",
        );
  if (site.options.applicationPasswords === "refused")
    throw new RestError(401, "application_passwords_disabled", "Application passwords are not available.");
  if (!user.applicationPasswords)
    throw new RestError(
      401,
      "application_passwords_disabled_for_user",
      "Application passwords are not available for your account. Please contact the site administrator for assistance.",
    );
  if (!user.passwords.includes(bare(password)))
    throw new RestError(
      401,
      "incorrect_password",
      "The provided password is an invalid application password.",
    );
  return user;
}

/** WordPress shows passwords in groups of four and ignores everything but letters and digits. */
export const bare = (password: string) => password.replace(/[^a-z\d]/gi, "");

interface Credentials {
  readonly login: string;
  readonly password: string;
}

function basic(header: string | undefined): Credentials | undefined {
  const found = /^Basic\s+([A-Za-z0-9+/=_-]+)\s*$/i.exec(header ?? "");
  if (!found?.[1]) return undefined;
  const text = Buffer.from(found[1], "base64").toString("utf8");
  const colon = text.indexOf(":");
  // Without a password there was no attempt to sign in.
  return colon < 0 || colon === text.length - 1
    ? undefined
    : { login: text.slice(0, colon), password: text.slice(colon + 1) };
}
