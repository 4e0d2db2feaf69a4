import { describe, expect, test } from "vitest";

import type { Card } from "../protocol";
import { EMPTY } from "./cards";
import { stroke } from "./keys";
import { begin, placementText, put, sort, type Laying } from "./laying";

const street = (): Laying => begin(EMPTY, ["Qd", "Ac", "5h"], 2, null);
const whole = (): Laying =>
  begin(EMPTY, "Kh Th Td Jh 9s 8h Tc Jc 7c 6s Ks 5d 4d 2h".split(" ") as Card[], 13, null, "rank");

/** What keys come to, pressed one after the other; each as its place on the keyboard and what a Russian one types. */
function pressed(laying: Laying, ...keys: [code: string, key: string][]): Laying {
  return keys.reduce((now, [code, key]) => {
    const wanted = stroke({ code, key }, now);
    return typeof wanted === "function" ? wanted(now) : now;
  }, laying);
}

test.each([
  ["KeyQ", "й", "Qd/-/-"],
  ["ArrowUp", "ArrowUp", "Qd/-/-"],
  ["KeyA", "ф", "-/Qd/-"],
  ["ArrowLeft", "ArrowLeft", "-/Qd/-"],
  ["KeyZ", "я", "-/-/Qd"],
  ["ArrowDown", "ArrowDown", "-/-/Qd"],
])("%s lays the chosen card, whatever is written on it", (code, key, expected) => {
  expect(placementText(pressed(street(), [code, key]))).toBe(expected);
});

describe("numbers", () => {
  test("choose a card where it is shown", () => {
    expect(pressed(street(), ["Digit2", "2"]).selected).toBe("Ac");
    expect(pressed(sort(street(), "rank"), ["Numpad1", "1"]).selected).toBe("Ac");
    expect(pressed(street(), ["Digit4", "4"])).toEqual(street());
  });
  test("call a laid card back from its place", () => {
    const laid = put(street(), "Qd", "top");
    expect(pressed(laid, ["Digit1", "1"])).toMatchObject({ selected: "Qd", down: [] });
  });
  test("count only what is in hand where there is much of it", () => {
    const laid = put(whole(), "Ks", "bottom");
    expect(pressed(laid, ["Digit1", "1"]).selected).toBe("Kh");
    expect(pressed(laid, ["Digit0", "0"]).selected).toBe("6s");
  });
});

test("the discard is shown last, and is chosen by the last number", () => {
  const done = put(put(street(), "Ac", "bottom"), "5h", "middle");
  expect(pressed(done, ["Digit3", "3"])).toMatchObject({ selected: "Qd", down: [{ card: "Ac", row: "bottom" }] });
});

test("arrows walk along a whole board", () => {
  expect(pressed(whole(), ["ArrowRight", "ArrowRight"]).selected).toBe("Kh");
  expect(pressed(whole(), ["ArrowLeft", "ArrowLeft"]).selected).toBe("2h");
});

test("the rest is undone, begun anew, sorted or confirmed", () => {
  const laid = put(put(street(), "Ac", "bottom"), "5h", "middle");
  expect(placementText(pressed(laid, ["Backspace", "Backspace"]))).toBe("-/-/Ac");
  expect(placementText(pressed(laid, ["Escape", "Escape"]))).toBe("-/-/-");
  expect(stroke({ code: "NumpadEnter", key: "Enter" }, laid)).toBe("confirm");
  expect(stroke({ code: "KeyS", key: "ы" }, street())).toBe("sort");
  expect(stroke({ code: "KeyS", key: "ы" }, laid)).toBe(null);
  expect(stroke({ code: "KeyB", key: "и" }, street())).toBe(null);
});
