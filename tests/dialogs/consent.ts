/** What a person does in the browser: Pinterest's consent, and paying. */
import type { SeenButton, SeoBotHarness, SeoPerson } from "../support/seo-bot.ts";
import { until } from "../support/until.ts";
import { publicUrl } from "./house.ts";
import { pinterestAccount } from "./networks.ts";

const shownButton = async (person: SeoPerson, fits: (button: SeenButton) => boolean) =>
  until("there is such a button", async () =>
    (await person.messages()).flatMap(({ buttons }) => buttons.flat()).findLast(fits),
  );

/** Opens the link, decides, and follows the page back to the bot, as the phone does. */
export async function consent(
  { running }: SeoBotHarness,
  person: SeoPerson,
  { label, allows }: { readonly label: string; readonly allows: boolean },
): Promise<void> {
  await person.screen();
  const { url = "" } = await shownButton(person, ({ text }) => text === label);
  const visit = (address: string, cookie = "") =>
    fetch(address.replace(publicUrl, running.system.url()), { headers: { cookie }, redirect: "manual" });
  const opened = await visit(url);
  const cookie = opened.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  const page = opened.headers.get("location") ?? "";
  const accounts = await (await fetch(page)).text();
  const { username } = pinterestAccount(person.id);
  const account =
    accounts
      .split("<label")
      .find((each) => each.includes(username))
      ?.match(/value="(\d+)"/)?.[1] ?? "";
  const body = new URLSearchParams({ decision: allows ? "allow" : "deny", account });
  const back = await fetch(page, { method: "POST", body, redirect: "manual" });
  const ended = await visit(back.headers.get("location") ?? "", cookie);
  // The twins' page says it for the person.
  const start = /#return\/telegram\/\d+\/(\w+)$/.exec(ended.headers.get("location") ?? "")?.[1];
  if (start !== undefined) await person.say(`/start ${start}`);
}

/** Pays what is shown last: an invoice in Stars, or the page behind the button. */
export async function pay({ control }: SeoBotHarness, person: SeoPerson): Promise<void> {
  await person.screen();
  const message = await until("there is something to pay", async () =>
    (await person.messages()).findLast(({ buttons }) =>
      buttons.flat().some(({ text }) => /^(?:Pay ⭐|Оплатить \d)/.test(text)),
    ),
  );
  const order = new URL(message.buttons[0]?.[0]?.url ?? "stars://").searchParams.get("orderId");
  if (order === null)
    await control("POST", `/telegram/chats/${person.id}/press`, {
      message_id: message.id,
      row: 0,
      column: 0,
    });
  else await control("POST", `/yookassa/payments/${order}/act`, { act: "pay" });
}
