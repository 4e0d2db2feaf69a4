// What the browser's verifier says of proofs: `node verdicts.mjs CASES [--mutants]`, a case a line, an answer a line.
//
// With --mutants it is run once more for each of its checks, with that check left out; an answer is then the list of the
// cases of which the verifier so weakened says something else.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const web = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "web");
const ts = createRequire(join(web, "package.json"))("typescript");
const folder = mkdtempSync(join(tmpdir(), "ananas-verdicts-"));
const source = (name) => readFileSync(join(web, "src", "fair", `${name}.ts`), "utf8");
const load = (name, text) => {
  const compilerOptions = { target: "ES2022", module: "ESNext" };
  const { outputText } = ts.transpileModule(text.replace(/"\.\/sha"/, '"./sha.mjs"'), { compilerOptions });
  writeFileSync(join(folder, `${name}.mjs`), outputText);
  return import(pathToFileURL(join(folder, `${name}.mjs`)).href);
};
const said = ({ verify, BadProof }, { data, known }) => {
  try {
    return { streets: verify(Uint8Array.from(Buffer.from(data, "base64")), known) };
  } catch (error) {
    return error instanceof BadProof ? { bad: error.message } : { error: String(error) };
  }
};

try {
  const [, , file, mutants] = process.argv;
  const cases = readFileSync(file, "utf8").trimEnd().split("\n").map((line) => JSON.parse(line));
  await load("sha", source("sha"));
  const text = source("verify");
  const verdicts = async (name, changed) => {
    const module = await load(name, changed);
    return cases.map((one) => JSON.stringify(said(module, one)));
  };
  const sound = await verdicts("verify", text);
  if (mutants) {
    const places = [...text.matchAll(/(?<=\n +)must\(/g)].map((found) => found.index);
    for (const [i, place] of places.entries()) {
      const changed = `${text.slice(0, place)}(() => {})(${text.slice(place + 5)}`;
      const other = (await verdicts(`mutant${i}`, changed)).flatMap((verdict, n) =>
        "bad" in JSON.parse(verdict) ? [] : verdict === sound[n] ? [] : [n],
      );
      console.log(JSON.stringify({ check: text.slice(place).split("\n")[0], cases: other }));
    }
  } else console.log(sound.join("\n"));
} finally {
  rmSync(folder, { recursive: true });
}
