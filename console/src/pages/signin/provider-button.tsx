import { LogIn } from "lucide-react";
import { useSignInMethods } from "../../api/index.ts";
import { usePath } from "../../router/index.ts";
import { useTexts } from "../../texts/index.ts";

/** A link and not a button, because the browser leaves the console. */
export function ProviderButton() {
  const texts = useTexts();
  const path = usePath();
  const oidc = useSignInMethods().data?.oidc;
  if (!oidc) return null;
  // An invitation's link is not in the address, so there is nothing to come back to.
  const back = path === "/signin" || path === "/invitation" ? "/" : path + location.search;
  return (
    <>
      <p className="sign-in-or">{texts.signIn.or}</p>
      <a className="button plain" href={`${oidc.url}?${new URLSearchParams({ return: back })}`}>
        <LogIn aria-hidden="true" />
        {texts.signIn.through(oidc.name)}
      </a>
    </>
  );
}
