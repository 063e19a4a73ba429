import type { FastifyInstance } from "fastify";
import { type Html, html, sendPage } from "../shared/index.ts";
import { nextFiring, readCron } from "./cron.ts";
import type { DeadLetter, Message, Schedule } from "./model.ts";
import type { QStash } from "./twin.ts";

const style = `body{font:15px/1.5 system-ui,sans-serif;margin:0;background:#f6f7f8;color:#1a1d1f}
main{max-width:60rem;margin:0 auto;padding:1.5rem}h1{font-size:1.4rem}h2{font-size:1.05rem;margin-top:2rem}
table{width:100%;border-collapse:collapse;background:#fff}td,th{padding:.5rem .6rem;border-bottom:1px solid #e3e6e8;text-align:left;
vertical-align:top;overflow-wrap:anywhere}code{font-size:.9em}`;

/** What the owner of the account sees: schedules with their next firing, what waits, what was given up. */
export async function consoleRoutes(app: FastifyInstance, { store }: QStash): Promise<void> {
  app.get("/qstash/console/", async (_request, reply) => {
    const { schedules, messages, dlq } = store.world;
    const body = html`<main><h1>QStash</h1>
<h2>Расписания</h2>${table(["Когда", "Куда", "Следующий раз"], schedules.map(scheduleRow), "Расписаний нет.")}
<h2>Ждут отправки</h2>${table(["Сообщение", "Куда", "Когда", "Повтор"], messages.map(messageRow), "Ничего не ждёт.")}
<h2>Не доставлены</h2>${table(["Сообщение", "Куда", "Ответ"], dlq.map(deadRow), "Таких нет.")}</main>`;
    return sendPage(reply, { title: "QStash", style, body });
  });

  function scheduleRow({ id, cron, destination, isPaused }: Schedule): Html {
    const read = readCron(cron);
    const next = read && nextFiring(read, store.now());
    const when = isPaused ? "на паузе" : next === undefined ? "не в ближайший год" : shown(next);
    return html`<tr><td><code>${cron}</code><br><small>${id}</small></td><td>${destination}</td><td>${when}</td></tr>`;
  }
}

function messageRow({ id, destination, dueAt, retried, retries }: Message): Html {
  return html`<tr><td><code>${id}</code></td><td>${destination}</td><td>${shown(dueAt)}</td><td>${retried} из ${retries}</td></tr>`;
}

function deadRow({ message, status }: DeadLetter): Html {
  return html`<tr><td><code>${message.id}</code></td><td>${message.destination}</td><td>${status ?? "нет ответа"}</td></tr>`;
}

function table(heads: readonly string[], rows: readonly Html[], empty: string): Html {
  if (rows.length === 0) return html`<p>${empty}</p>`;
  return html`<table><tr>${heads.map((head) => html`<th>${head}</th>`)}</tr>${rows}</table>`;
}

const format = new Intl.DateTimeFormat("ru-RU", {
  dateStyle: "short",
  timeStyle: "medium",
  timeZone: "Europe/Moscow",
});
const shown = (at: number) => `${format.format(at)} МСК`;
