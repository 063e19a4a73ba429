// Loaded into a process before anything else: its wall clock is wrong from the start and jumps once more later, as the
// clock of a machine does that was set by hand. CHAOS_CLOCK holds {"offsetMs", "jumpAfterMs", "jumpMs"}.
const { offsetMs, jumpAfterMs, jumpMs } = JSON.parse(process.env.CHAOS_CLOCK ?? "{}");
const TrueDate = Date;
const wrongBy = () => (performance.now() < jumpAfterMs ? offsetMs : offsetMs + jumpMs);

globalThis.Date = class WrongDate extends TrueDate {
  constructor(...given) {
    if (given.length === 0) super(TrueDate.now() + wrongBy());
    else super(...given);
  }

  static now() {
    return TrueDate.now() + wrongBy();
  }
};
