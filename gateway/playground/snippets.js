/** A request as a program. */

import { url } from './api.js';

const KNOWN = new Set([
  'model', 'messages', 'temperature', 'top_p', 'max_tokens', 'seed', 'response_format', 'tools', 'logprobs', 'top_logprobs',
]);
/** Parameters of OpenAI's Python client; others go into `extra_body`. */

export const SNIPPETS = { curl, Python: python, JavaScript: javascript };

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

function curl(body, hasKey) {
  const key = hasKey ? ` \\\n  -H "authorization: Bearer $PORTCULLIS_KEY"` : '';
  return `curl ${url('v1/chat/completions')} \\\n  -H 'content-type: application/json'${key} \\\n  -d ${quoted(JSON.stringify(body, null, 2))}\n`;
}

/** Return a value as a literal of Python's. */
function literal(value, indent = '') {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const inner = `${indent}    `;
  const isList = Array.isArray(value);
  const items = isList
    ? value.map((each) => literal(each, inner))
    : Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${literal(each, inner)}`);
  const [open, close] = isList ? '[]' : '{}';
  const line = `${open}${items.join(', ')}${close}`;
  if (line.length + indent.length < 90 && !line.includes('\n')) return line;
  return `${open}\n${items.map((each) => `${inner}${each},\n`).join('')}${indent}${close}`;
}

function python(body, hasKey) {
  const fields = Object.entries({ model: 'portcullis', ...body });
  const known = fields.filter(([name]) => KNOWN.has(name));
  const extra = Object.fromEntries(fields.filter(([name]) => !KNOWN.has(name)));
  const key = hasKey ? 'os.environ["PORTCULLIS_KEY"]' : '"none"';
  const lines = known.map(([name, value]) => `    ${name}=${literal(value, '    ')},\n`);
  if (Object.keys(extra).length) lines.push(`    extra_body=${literal(extra, '    ')},\n`);
  return `${hasKey ? 'import os\n\n' : ''}from openai import OpenAI

client = OpenAI(base_url=${JSON.stringify(url('v1'))}, api_key=${key})
reply = client.chat.completions.create(
${lines.join('')})
message = reply.choices[0].message
print(message.content or message.tool_calls)
`;
}

function javascript(body, hasKey) {
  const key = hasKey ? '\n    authorization: `Bearer ${process.env.PORTCULLIS_KEY}`,' : '';
  return `const response = await fetch(${JSON.stringify(url('v1/chat/completions'))}, {
  method: "POST",
  headers: {
    "content-type": "application/json",${key}
  },
  body: JSON.stringify(${JSON.stringify(body, null, 2).replaceAll('\n', '\n  ')}),
});
const reply = await response.json();
console.log(reply.choices[0].message);
`;
}
