import { describe, expect, test } from "vitest";

import css from "./tokens.css?raw";

type Colour = readonly [red: number, green: number, blue: number];
type Time = "day" | "night";

/** A block of the file with its colours: `--text: light-dark(day, night)`, or one for both. */
function colours(block: string): Map<string, Record<Time, Colour>> {
  const found = new Map<string, Record<Time, Colour>>();
  for (const [, name = "", value = ""] of block.matchAll(/--([a-z0-9-]+): (.+);/g)) {
    const [day, night = day] = value.match(/#[0-9a-f]{6}\b/g) ?? [];
    if (day && night) found.set(name, { day: parse(day), night: parse(night) });
  }
  return found;
}

const parse = (hex: string): Colour => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255) as never;
const linear = (part: number): number => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
const coded = (part: number): number => (part <= 0.0031308 ? 12.92 * part : 1.055 * part ** (1 / 2.4) - 0.055);

type Matrix = readonly [Colour, Colour, Colour];
const times = (matrix: Matrix, [x, y, z]: Colour): Colour => matrix.map(([a, b, c]) => a * x + b * y + c * z) as never;
const each = (colour: Colour, change: (part: number) => number): Colour => colour.map(change) as never;

// -- what can be read

function luminance(colour: Colour): number {
  const [r, g, b] = each(colour, linear);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: Colour, two: Colour): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(two)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

test("contrast is reckoned as WCAG has it", () => {
  expect(contrast(parse("#000000"), parse("#ffffff"))).toBeCloseTo(21);
  expect(contrast(parse("#777777"), parse("#ffffff"))).toBeCloseTo(4.48, 2);
});

const LMS: Matrix = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
];
const OKLAB: Matrix = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
];
function inverse([[a, b, c], [d, e, f], [g, h, i]]: Matrix): Matrix {
  const all = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
  const rows: Matrix = [
    [e * i - f * h, c * h - b * i, b * f - c * e],
    [f * g - d * i, a * i - c * g, c * d - a * f],
    [d * h - e * g, b * g - a * h, a * e - b * d],
  ];
  return rows.map((row) => each(row, (cell) => cell / all)) as never;
}

/** `color-mix(in oklab, one share%, other)`. */
function mixed(one: Colour, share: number, other: Colour): Colour {
  const [from, to] = [one, other].map((colour) => times(OKLAB, each(times(LMS, each(colour, linear)), Math.cbrt)));
  const between = from?.map((part, at) => part * share + (to?.[at] ?? 0) * (1 - share)) as unknown as Colour;
  return each(
    times(
      inverse(LMS),
      each(times(inverse(OKLAB), between), (part) => part ** 3),
    ),
    (part) => coded(Math.max(0, part)),
  );
}

/** `color-mix(in oklab, tint share%, transparent)`, as it lies over something. */
const tinted = (tint: Colour, share: number, below: Colour): Colour =>
  below.map((part, at) => part * (1 - share) + (tint[at] ?? 0) * share) as never;

test("colours are mixed as browsers mix them", () => {
  expect(each(mixed(parse("#2b1c00"), 0.8, parse("#f4b942")), (part) => Math.round(part * 255))).toEqual([78, 55, 7]);
  expect(tinted(parse("#ffffff"), 0.25, parse("#000000"))).toEqual([0.25, 0.25, 0.25]);
});

const PLAIN = ["ground", "glow", "panel", "raised"];
/** Where the own turn, a tag, a place or a found paragraph is tinted. */
const TINTED = {
  "own turn": ["gold 9% panel"],
  tag: ["gold 10% panel", "gold 10% own turn", "gold 26% panel", "gold 26% own turn"],
  place: ["gold 16% panel", "gold 16% own turn"],
  dead: ["bad 10% panel", "bad 10% own turn"],
  found: ["gold 16% ground"],
};
/** Everything that is written in, and what it is written on: each value of `color` there is, and of `fill` as a token. */
const WRITTEN: Record<string, readonly string[]> = {
  "var(--text)": [...PLAIN, "own turn", "text 13% ground", ...TINTED.found],
  "var(--muted)": [...PLAIN, "own turn"],
  "var(--good)": [...PLAIN, "own turn"],
  "var(--bad)": [...PLAIN, "own turn", ...TINTED.dead],
  "var(--warn)": [...PLAIN, "own turn"],
  "var(--bank)": [...PLAIN, "own turn"],
  "var(--gold-text)": [...PLAIN, "own turn", ...TINTED.tag, ...TINTED.place],
  "var(--ink)": ["gold", "gold-light", "ink 13% gold"],
  "var(--avatar-ink)": ["avatar-0", "avatar-1", "avatar-2", "avatar-3", "gold"],
  "var(--on-alarm)": ["alarm"],
  // A toast turns the page's own colours round.
  "var(--ground)": ["text"],
  "color-mix(in oklab, var(--ink) 80%, var(--gold))": ["gold", "gold-light"],
  // The button is a white chip, by day and by night.
  "#222": ["#ffffff"],
};
const SUITS = ["spades", "hearts", "diamonds", "clubs"] as const;
const OF_CARDS = SUITS.map((suit) => `var(--${suit})`);

const sheets = import.meta.glob<string>(["./**/*.svelte", "./**/*.css"], {
  query: "?raw",
  import: "default",
  eager: true,
});
/** A name of a component's own for one of the colours, and what it stands for there. */
const OWN_NAMES = ["tone", "pip"];
/** The hole of a ring is not written in. */
const HOLE = "var(--panel)";
test("every colour that something is written in is looked at", () => {
  const written = Object.values(sheets)
    .flatMap((sheet) => [
      ...sheet.matchAll(/[\s{;"](?:color: ?|fill: ?(?=var))([^;"}]+)[;"}]/g),
      ...sheet.matchAll(new RegExp(`--(?:${OWN_NAMES.join("|")}): ([^;]+);`, "g")),
    ])
    .map(([, value = ""]) => /^var\(--(\w+)(?:, (.+))?\)$/.exec(value.trim()) ?? [value.trim()])
    .map(([value = "", name = "", otherwise = ""]) => (OWN_NAMES.includes(name) ? otherwise : value))
    .filter((value) => value !== "" && value !== HOLE);
  const colours = new Set(written.filter((value) => !/^(inherit|currentColor|transparent|none)$/.test(value)));
  expect([...colours].sort()).toEqual([...Object.keys(WRITTEN), ...OF_CARDS].sort());
});

const [basics = "", ...palettes] = css.split(/(?<!:root,)\n(?=(?::root,\n)?\[data-suits)/);
const tokens = colours(basics);

/** A colour by its name, by what it is mixed of, or as it is. */
function named(text: string, time: Time): Colour {
  const mix = /^color-mix\(in oklab, var\(--(\S+)\) (\d+)%, var\(--(\S+)\)\)$/.exec(text);
  if (mix) return mixed(named(mix[1] ?? "", time), Number(mix[2]) / 100, named(mix[3] ?? "", time));
  if (text === "own turn") return mixed(named("gold", time), 0.09, named("panel", time));
  const tint = /^(\S+) (\d+)% (.+)$/.exec(text);
  if (tint) return tinted(named(tint[1] ?? "", time), Number(tint[2]) / 100, named(tint[3] ?? "", time));
  if (text.startsWith("#")) return parse(text === "#222" ? "#222222" : text);
  const found = tokens.get(/^var\(--(.+)\)$/.exec(text)?.[1] ?? text);
  if (!found) throw new Error(`there is no colour ${text}`);
  return found[time];
}

describe.each(["day", "night"] as const)("by %s", (time) => {
  const pairs = Object.entries(WRITTEN).flatMap(([text, surfaces]) => surfaces.map((surface) => [text, surface]));
  test.each(pairs)("%s on %s can be read", (text = "", surface = "") => {
    expect(contrast(named(text, time), named(surface, time))).toBeGreaterThanOrEqual(4.5);
  });
  test.each(PLAIN)("the focus ring and the edge of a field stand out from %s", (surface) => {
    expect(contrast(named("focus", time), named(surface, time))).toBeGreaterThanOrEqual(3);
    expect(contrast(named("field-edge", time), named(surface, time))).toBeGreaterThanOrEqual(3);
  });
});

// -- suits

/** How colours look to those who lack one kind of cone: Machado, Oliveira and Fernandes, 2009, severity 1, linear RGB. */
const SIGHT: Record<string, Matrix> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const XYZ: Matrix = [
  [0.4124564, 0.3575761, 0.1804375],
  [0.2126729, 0.7151522, 0.072175],
  [0.0193339, 0.119192, 0.9503041],
];
const WHITE: Colour = [0.95047, 1, 1.08883];

/** CIELAB, from linear RGB. */
function lab(colour: Colour): Colour {
  const [x, y, z] = times(XYZ, colour).map((part, at) => {
    const share = part / (WHITE[at] ?? 1);
    return share > 216 / 24389 ? Math.cbrt(share) : ((24389 / 27) * share + 16) / 116;
  }) as unknown as Colour;
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** CIEDE2000: 1 is what can just be seen, side by side. */
function difference([l1, a1, b1]: Colour, [l2, a2, b2]: Colour): number {
  const radians = Math.PI / 180;
  const seventh = (chroma: number): number => Math.sqrt(chroma ** 7 / (chroma ** 7 + 25 ** 7));
  const stretch = 1.5 - seventh((Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2) / 2;
  const [c1, c2] = [Math.hypot(a1 * stretch, b1), Math.hypot(a2 * stretch, b2)];
  const hue = (a: number, b: number): number => (Math.atan2(b, a * stretch) / radians + 360) % 360;
  const [h1, h2] = [hue(a1, b1), hue(a2, b2)];
  const turn = c1 * c2 === 0 ? 0 : ((h2 - h1 + 540) % 360) - 180;
  const [l, c] = [(l1 + l2) / 2, (c1 + c2) / 2];
  const h = c1 * c2 === 0 ? h1 + h2 : (h1 + turn / 2 + 360) % 360;
  const cosine = (degrees: number): number => Math.cos(degrees * radians);
  const weight = 1 - 0.17 * cosine(h - 30) + 0.24 * cosine(2 * h) + 0.32 * cosine(3 * h + 6) - 0.2 * cosine(4 * h - 63);
  const lightness = (l2 - l1) / (1 + (0.015 * (l - 50) ** 2) / Math.sqrt(20 + (l - 50) ** 2));
  const chroma = (c2 - c1) / (1 + 0.045 * c);
  const hues = (2 * Math.sqrt(c1 * c2) * Math.sin((turn / 2) * radians)) / (1 + 0.015 * c * weight);
  const rotation = -Math.sin(60 * Math.exp(-(((h - 275) / 25) ** 2)) * radians) * 2 * seventh(c);
  return Math.sqrt(lightness ** 2 + chroma ** 2 + hues ** 2 + rotation * chroma * hues);
}

test.each([
  // From the test data of Sharma, Wu and Dalal, 2005.
  [[50, 2.6772, -79.7751], [50, 0, -82.7485], 2.0425],
  [[50, 2.49, -0.001], [50, -2.49, 0.0011], 7.2195],
  [[50, 2.5, 0], [73, 25, -18], 27.1492],
  [[60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644],
  [[6.7747, -0.2908, -2.4247], [5.8714, -0.0985, -2.2286], 0.6377],
] as const)("the difference of %j and %j", (one, two, expected) => {
  expect(difference(one, two)).toBeCloseTo(expected, 4);
});

const clipped = (part: number): number => Math.min(1, Math.max(0, part));
/** How far apart two suits have to be for every eye; a palette made for it has to do better. */
const APART: Record<string, number> = { four: 12, safe: 20, two: 20 };

describe.each(palettes.map((block) => [/data-suits="(\w+)"/.exec(block)?.[1] ?? "", colours(block)] as const))(
  "the suits of %s",
  (palette, suits) => {
    const colour = (suit: string, time: Time = "day"): Colour => suits.get(suit)?.[time] ?? [0, 0, 0];
    test("are four", () => {
      expect([...suits.keys()]).toEqual([...SUITS]);
    });
    test.each(SUITS)("%s can be read on a card", (suit) => {
      for (const time of ["day", "night"] as const) {
        expect(contrast(colour(suit, time), named("card", time))).toBeGreaterThanOrEqual(4.5);
      }
    });
    test.each(Object.entries(SIGHT))("are told apart by %s sight", (_, sight) => {
      const seen = SUITS.map((suit) => lab(each(times(sight, each(colour(suit), linear)), clipped)));
      const pairs = seen.flatMap((one, at) => seen.slice(at + 1).map((two) => difference(one, two)));
      expect(Math.min(...pairs)).toBeGreaterThanOrEqual(APART[palette] ?? Infinity);
    });
  },
);

test("there are the palettes that can be chosen", async () => {
  expect(palettes.length).toBe(Object.keys(APART).length);
  const { PALETTES } = await import("./theme.svelte");
  expect(Object.keys(APART)).toEqual([...PALETTES]);
});
