/** The control: a grammY bot without a memory, which answers a tap and edits its message. */
import { Bot, InlineKeyboard } from "grammy";

const { twinsUrl, token }: { twinsUrl: string; token: string } = JSON.parse(process.argv[2] ?? "{}");
const bot = new Bot(token, { client: { apiRoot: `${twinsUrl}/telegram` } });
const keyboard = new InlineKeyboard().text("Мои проекты", "page:projects:1").row().text("Меню", "dashboard");
// Its client keeps connections that the twin closes when they rest; a request that meets that is made again.
bot.api.config.use((ask, method, payload, signal) =>
  ask(method, payload, signal).catch(() => ask(method, payload, signal)),
);
let taps = 0;
bot.command("start", (context) => context.reply("Главное меню", { reply_markup: keyboard }));
bot.on("callback_query:data", async (context) => {
  taps += 1;
  await Promise.all([
    context.answerCallbackQuery(),
    context.editMessageText(`Экран ${taps}`, { reply_markup: keyboard }),
  ]);
});
await bot.init();
// grammY's own polling takes updates one after another; taken together, they are answered together.
void (async () => {
  let offset = 0;
  for (;;) {
    const updates = await bot.api.getUpdates({ offset, timeout: 20 });
    for (const update of updates) {
      offset = update.update_id + 1;
      void bot.handleUpdate(update);
    }
  }
})();
process.send?.("polling");
process.once("disconnect", () => process.exit());
