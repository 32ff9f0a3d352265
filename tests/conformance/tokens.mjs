// How many tokens two tokenizers count in each text of a JSON list: the more of both.
import { readFileSync } from "node:fs";
import { countTokens as older } from "gpt-tokenizer/encoding/cl100k_base";
import { countTokens as newer } from "gpt-tokenizer/encoding/o200k_base";

const texts = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(texts.map((text) => Math.max(older(text), newer(text)))));
