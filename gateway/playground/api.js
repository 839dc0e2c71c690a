const BASE = new URL('../', import.meta.url);
const KEY = 'portcullis-key';
const LONGEST_EVENT = 16 * 1024 * 1024;

export const url = (path) => new URL(path, BASE).href;
export const apiKey = () => sessionStorage.getItem(KEY) ?? '';

export function setApiKey(key) {
  if (key) sessionStorage.setItem(KEY, key);
  else sessionStorage.removeItem(KEY);
}

/** An error that the server answered with, or a server that did not answer (`status` 0). */
export class ApiError extends Error {
  constructor(message, { code = '', hint = '', status = 0, where = '' } = {}) {
    super(message);
    Object.assign(this, { code, hint, status, where });
  }
}

function errorIn(body, status) {
  const found = body?.error ?? {};
  const message = typeof found === 'string' ? found : found.message ?? `the server answered with status ${status}`;
  return new ApiError(message, { ...found, status });
}

async function request(path, { body, signal, headers = {} } = {}) {
  const all = { ...headers };
  if (apiKey()) all.authorization = `Bearer ${apiKey()}`;
  if (body !== undefined) all['content-type'] = 'application/json';
  let response;
  try {
    response = await fetch(url(path), {
      method: body === undefined ? 'GET' : 'POST', headers: all, signal, body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new ApiError('the server cannot be reached', { code: 'unreachable', hint: 'start it, then try again' });
  }
  if (response.ok) return response;
  let found = null;
  try { found = await response.json(); } catch { /* no JSON: the status says it */ }
  if (response.status === 401) document.dispatchEvent(new CustomEvent('key-needed'));
  throw errorIn(found, response.status);
}

export async function json(path, options) {
  return (await request(path, options)).json();
}

export async function text(path, options) {
  return (await request(path, options)).text();
}

/** Yield the events of a stream.
 *  @throws {ApiError} The server refuses, fails midway, or goes away before the end. */
export async function* events(path, options) {
  const reader = (await request(path, options)).body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      let chunk;
      try {
        chunk = await reader.read();
      } catch (error) {
        if (error.name === 'AbortError') throw error;
        throw new ApiError('the connection was lost during the answer', { code: 'unreachable', hint: 'try again' });
      }
      if (chunk.done) throw new ApiError('the answer ended before its last event', { code: 'unreachable', hint: 'try again' });
      rest += chunk.value;
      if (rest.length > LONGEST_EVENT) throw new ApiError('an event of the answer is too long');
      const lines = rest.split('\n');
      rest = lines.pop();
      for (const line of lines) {
        if (!line.startsWith('data: ')) continue;
        if (line === 'data: [DONE]') return;
        const event = JSON.parse(line.slice(6));
        if (event.error) throw errorIn(event, 200);
        yield event;
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
