import { describe, expect, test } from "vitest";

import css from "./tokens.css?raw";

/** Both themes' colours as the file has them: `--text: light-dark(day, night)`, or one for both. */
const tokens = new Map<string, { day: string; night: string }>();
for (const [, name = "", value = ""] of css.matchAll(/--([a-z0-9-]+): (.+);/g)) {
  const both = /^light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)$/.exec(value);
  if (both) tokens.set(name, { day: both[1] ?? "", night: both[2] ?? "" });
  else if (/^#[0-9a-f]{6}$/.test(value)) tokens.set(name, { day: value, night: value });
}

function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, two: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(two)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

test("contrast is reckoned as WCAG has it", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21);
  expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
});

const SURFACES = ["ground", "glow", "panel", "raised"];
const TEXTS = ["text", "muted", "good", "bad", "warn", "bank", "gold-text"];
const PAIRS = [
  ...TEXTS.flatMap((text) => SURFACES.map((surface) => [text, surface])),
  ...["spades", "hearts", "diamonds", "clubs"].map((suit) => [suit, "card"]),
  ...["gold", "gold-light"].map((gold) => ["ink", gold]),
  ...["avatar-0", "avatar-1", "avatar-2", "avatar-3", "gold"].map((avatar) => ["avatar-ink", avatar]),
  ["on-alarm", "alarm"],
  // A toast turns the page's own colours round.
  ["ground", "text"],
];

describe.each(["day", "night"] as const)("by %s", (time) => {
  const colour = (name = ""): string => {
    const found = tokens.get(name);
    if (!found) throw new Error(`there is no colour ${name}`);
    return found[time];
  };
  test.each(PAIRS)("%s on %s can be read", (text, surface) => {
    expect(contrast(colour(text), colour(surface))).toBeGreaterThanOrEqual(4.5);
  });
  test.each(SURFACES)("the focus ring and the edge of a field stand out from %s", (surface) => {
    expect(contrast(colour("focus"), colour(surface))).toBeGreaterThanOrEqual(3);
    expect(contrast(colour("field-edge"), colour(surface))).toBeGreaterThanOrEqual(3);
  });
});
