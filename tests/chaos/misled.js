// Loaded into a process before anything else. Its wall clock is wrong from the start and jumps while it runs, as the clock of
// a machine does that is set by hand: CHAOS_CLOCK holds {"offsetMs", "jumps": [{"afterMs", "byMs"}]}. And the messengers' name leads
// elsewhere, or nowhere, now and then: CHAOS_NAMES holds {"name", "everyMs"}. The storm is told each time.
import dns from "node:dns";
import { syncBuiltinESMExports } from "node:module";

const { offsetMs, jumps = [] } = JSON.parse(process.env.CHAOS_CLOCK ?? "{}");
const TrueDate = Date;

function wrongBy() {
  const sinceStart = performance.now();
  return jumps.reduce((sum, { afterMs, byMs }) => (sinceStart < afterMs ? sum : sum + byMs), offsetMs);
}

globalThis.Date = class WrongDate extends TrueDate {
  constructor(...given) {
    if (given.length === 0) super(TrueDate.now() + wrongBy());
    else super(...given);
  }

  static now() {
    return TrueDate.now() + wrongBy();
  }
};

const tell = (what) => process.connected && process.send(what);
if (offsetMs) tell("clock");
for (const { afterMs } of jumps) setTimeout(tell, afterMs, "clock").unref();

const { CHAOS_NAMES: names } = process.env;
if (names) {
  const { name: misleading, everyMs } = JSON.parse(names);
  /** One after the other: right, an address where nobody listens, right, a server that fails, a name that is unknown. */
  const answers = [
    { address: "127.0.0.1" },
    { address: "127.0.0.9" },
    { address: "127.0.0.1" },
    { code: "EAI_AGAIN" },
    { code: "ENOTFOUND" },
  ];
  const trueLookup = dns.lookup;
  dns.lookup = function lookup(name, options, callback = options) {
    if (name !== misleading) return trueLookup(name, options, callback);
    const { address, code } = answers[Math.floor(performance.now() / everyMs) % answers.length];
    if (address !== "127.0.0.1") tell("name");
    const all = typeof options === "object" && options.all;
    setImmediate(() => {
      if (code)
        callback(Object.assign(new Error(`getaddrinfo ${code} ${name}`), { code, syscall: "getaddrinfo" }));
      else if (all) callback(null, [{ address, family: 4 }]);
      else callback(null, address, 4);
    });
  };
  const promised = dns.promises.lookup;
  dns.promises.lookup = (name, options) =>
    name !== misleading
      ? promised(name, options)
      : new Promise((resolve, reject) => {
          dns.lookup(name, options ?? {}, (error, found, family) => {
            if (error) reject(error);
            else resolve(options?.all ? found : { address: found, family });
          });
        });
  syncBuiltinESMExports();
}
