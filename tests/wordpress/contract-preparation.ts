import { type Preparation, preparationOf as preparationOfTwin } from "../contract/preparation.ts";
import { contractSite } from "./contract-site.ts";

export { carries, type Feature, type Preparation } from "../contract/preparation.ts";

/** What a real site can be brought to: it has neither firewalls nor maintenance pages of its own. */
const switches: ReadonlySet<string> = new Set(["bad_password", "application_passwords"]);

/** In the place of `tests/contract/preparation.ts`: the same site, with the passwords that the real one gave. */
export async function preparationOf(name: string): Promise<Preparation> {
  const twin = await preparationOfTwin(name);
  const { real } = await contractSite();
  const { administrator, contributor } = real.users;
  const own = ({ login, password }: { login: string; password: string }) => ({
    ...twin.credential,
    login,
    app_password: password.replace(/\s/g, ""),
  });
  return {
    ...twin,
    credential: own(administrator),
    wrongCredential: { ...own(administrator), app_password: twin.wrongCredential.app_password ?? "" },
    troubles: twin.troubles
      .filter(({ control }) => !control || Object.entries(control.body).every(isPossible))
      .map(({ credential, ...trouble }) => {
        if (!credential) return trouble;
        const person = trouble.finding === "may_not_post" ? own(contributor) : own(administrator);
        const isWrong = credential.app_password === twin.wrongCredential.app_password;
        const isNobody = credential.login === "nobody";
        return {
          ...trouble,
          credential: {
            ...person,
            url: credential.url ?? "",
            ...(isWrong && { app_password: credential.app_password ?? "" }),
            ...(isNobody && { login: "nobody" }),
          },
        };
      }),
  };
}

const isPossible = ([name, value]: [string, unknown]): boolean => switches.has(name) && value !== "refused";
