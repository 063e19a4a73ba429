import { beginProductConsent } from "../../src/delivery/index.ts";
import { ownerOf } from "../../src/seo/connections/connect.ts";
import { publicUrl, type World } from "./walk-world.ts";

/** What a person does in the browser to give access to a Pinterest account; returns the number of the permission. */
export async function grantPinterest({ harness, services, whose }: World): Promise<string> {
  const own = harness.running.system.url();
  const visit = (address: string, cookie = "") =>
    fetch(address.replace(publicUrl, own), { headers: { cookie }, redirect: "manual" });
  const { url, nonce } = await beginProductConsent(services.consent, whose.workspaceId, {
    ...{ platform: "pinterest", owner: ownerOf(whose), bot: "seo_master_bot" },
  });
  const opened = await visit(url);
  const cookie = opened.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  const page = opened.headers.get("location") ?? "";
  const account = /value="(\d+)"/.exec(await (await fetch(page)).text())?.[1] ?? "";
  const body = new URLSearchParams({ decision: "allow", account });
  const back = await fetch(page, { method: "POST", body, redirect: "manual" });
  await visit(back.headers.get("location") ?? "", cookie);
  return nonce;
}
