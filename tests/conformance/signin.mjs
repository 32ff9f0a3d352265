// A client in TypeScript that signs in: `node signin.mjs PACKAGE URL BACK [DOCUMENT]`. It prints the address that a
// person has to open, reads where the browser was sent back to, and prints what it got, each as a line of JSON.
import { createInterface } from "node:readline/promises";

const [name, url, back, document] = process.argv.slice(2);
const old = name === "@modelcontextprotocol/sdk";
const { Client } = await import(old ? `${name}/client/index.js` : name);
const { StreamableHTTPClientTransport } = await import(old ? `${name}/client/streamableHttp.js` : name);
const { UnauthorizedError } = await import(old ? `${name}/client/auth.js` : name);

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const say = (value) => console.log(JSON.stringify(value));
const kept = {};

const provider = {
  redirectUrl: back,
  clientMetadataUrl: document,
  clientMetadata: {
    client_name: "Agent",
    redirect_uris: [back],
    grant_types: ["authorization_code", "refresh_token"],
    token_endpoint_auth_method: "none",
  },
  state: () => "a state",
  clientInformation: () => kept.client,
  saveClientInformation: (client) => void (kept.client = client),
  tokens: () => kept.tokens,
  saveTokens: (tokens) => void (kept.tokens = tokens),
  redirectToAuthorization: (address) => say({ open: address.href }),
  saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
  codeVerifier: () => kept.verifier,
  saveDiscoveryState: (found) => void (kept.found = found),
  discoveryState: () => kept.found,
};

let transport;
async function connected() {
  const client = new Client({ name: "agent", version: "1" }, { versionNegotiation: { mode: "auto" } });
  transport = new StreamableHTTPClientTransport(new URL(url), { authProvider: provider });
  await client.connect(transport);
  return client;
}

// What an act returns; where it asks a person first, after that.
async function signedIn(act) {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error;
    const answer = new URL((await lines.next()).value).searchParams;
    await (old ? transport.finishAuth(answer.get("code")) : transport.finishAuth(answer));
    return await act();
  }
}

const client = await signedIn(connected);
const { tools } = await client.listTools();
say({ tools: tools.map((tool) => tool.name) });
say({ sites: (await client.callTool({ name: "svc_list_sites", arguments: {} })).structuredContent.sites });
const first = kept.tokens.access_token;
kept.tokens = { ...kept.tokens, access_token: `${first.slice(0, -1)}${first.endsWith("0") ? "1" : "0"}` };
await client.callTool({ name: "svc_list_sites", arguments: {} });
say({ renewed: kept.tokens.access_token !== first });
const rival = { siteId: process.env.SITE, name: process.env.RIVAL, domain: `${process.env.RIVAL}.example` };
const added = await signedIn(() => client.callTool({ name: "svc_add_competitor", arguments: rival }));
say({ added: added.structuredContent ?? added._meta.error.code });
await client.close();
process.exit(0);
