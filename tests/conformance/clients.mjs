// What Vercel's AI SDK makes of the tools when it asks Gemini: `node clients.mjs URL KEY`, as clients.py does.
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createMCPClient } from "@ai-sdk/mcp";
import { generateText, stepCountIs } from "ai";

const [url, key] = process.argv.slice(2);
const requests = [];
const parts = [{ functionCall: { name: "svc_list_sites", args: {} } }, { text: "Done." }];

// Gemini, which calls a tool and then is content.
async function gemini(address, request) {
  requests.push(JSON.parse(request.body));
  const content = { role: "model", parts: [parts[requests.length - 1]] };
  return Response.json({ candidates: [{ content, finishReason: "STOP" }], usageMetadata: {} });
}

const client = await createMCPClient({ transport: { type: "http", url, headers: { Authorization: `Bearer ${key}` } } });
const model = createGoogleGenerativeAI({ apiKey: "none", fetch: gemini })("gemini-2.5-flash");
const answer = await generateText({ model, tools: await client.tools(), prompt: "Which?", stopWhen: stepCountIs(2) });
await client.close();
const declared = requests[0].tools.flatMap((tool) => tool.functionDeclarations);
const refused = Object.fromEntries(answer.steps[0].warnings?.map((each, place) => [place, JSON.stringify(each)]) ?? []);
const [{ output }] = answer.steps[0].toolResults;
console.log(JSON.stringify({ tools: declared.map((each) => each.name), refused, result: output.structuredContent }));
