import type { ru } from "./texts-ru.ts";

export const en: typeof ru = {
  alarm:
    "This may be life-threatening. Do not wait: call the nearest 24-hour veterinary clinic, say that you are coming, and set off.",
  clinics: {
    label: "24-hour veterinary clinics nearby",
    url: `https://www.google.com/maps/search/${encodeURIComponent("24 hour emergency vet")}`,
  },
  steps: {
    breathing: [
      "Open the mouth and pull the tongue forward; remove an object if you see it and it comes out easily, but do not push it deeper.",
      "Take the collar off, give air and keep the neck straight.",
      "Not breathing: close the mouth and breathe into the nose, one breath every 3–5 seconds.",
    ],
    unconscious: [
      "Check for breathing: hold a hand to the nose and watch the chest.",
      "Lay it on its right side, straighten the neck, pull the tongue out, take the collar off.",
      "No breathing and no heartbeat: 30 chest compressions at two a second, then 2 breaths into the nose, and so on until the clinic.",
      "Give no water and no drugs.",
    ],
    seizure: [
      "Do not hold it and keep away from the mouth; move away everything it could hit.",
      "Note the time, film the seizure for the vet, dim lights and sound.",
      "Longer than 3 minutes, or again: set off without waiting for the end.",
    ],
    bleeding: [
      "Press a clean cloth on the wound and do not let go; when it is soaked, put another layer on top.",
      "Do not pull an object out of a wound.",
      "Blood in vomit, stool or urine: no food, take a photo with you.",
    ],
    swallowed: [
      "Do not make it vomit: sharp and caustic things hurt a second time.",
      "Do not pull a thread out of the mouth or from under the tail.",
      "No food; take the same object or its package with you.",
    ],
    poison: [
      "Take the rest away and bring the package: the vet needs what, how much and when.",
      "Do not make it vomit and give nothing without a vet.",
      "Poison on the coat: rinse with warm water and stop the licking; smoke or gas: carry it out to fresh air.",
    ],
    injury: [
      "Move it as little as possible: carry it on a board or a stretched blanket.",
      "Blood: press a clean cloth on the wound. Leave a bone or an eye as it is and cover it with a clean damp cloth.",
      "Even if it gets up and walks: internal injuries cannot be seen, have it looked at now.",
    ],
    heat: [
      "Overheated: into the shade, wet belly, paws and ears with cool, not icy water.",
      "Burn: cool water for 10–15 minutes, no ointment. Electricity: switch it off first.",
      "Drowning: hold it head down for a few seconds to let the water out, then check breathing.",
    ],
    snake: [
      "Keep it still: carry it, the bite lower than the heart.",
      "Do not cut, suck out the venom or tie the leg off.",
      "Remember what the snake looked like; do not catch it.",
    ],
    birth: [
      "Do not pull the young one yourself.",
      "Strong contractions for over half an hour without a birth, or a young one stuck in sight: to the clinic at once.",
      "Take those already born with you, kept warm.",
    ],
    urine: [
      "Do not press on the belly and give no diuretics.",
      "Do not wait until morning: without urine it is a matter of hours, above all in tomcats.",
      "Recall when it last passed urine and whether there was blood.",
    ],
    paralysis: [
      "Do not make it stand up; carry it on something hard and flat.",
      "Keep back and neck still, give no painkillers.",
    ],
    bloat: [
      "No food, no water, do not knead the belly, no painkillers.",
      "A swollen belly and retching without result in a dog looks like a twisted stomach: every minute counts.",
    ],
  },
};
