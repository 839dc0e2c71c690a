/** The request that the page builds: settings and conversation. */

export const CONSTRAINTS = {
  none: 'None',
  schema: 'JSON Schema',
  regex: 'Regular expression',
  choice: 'Choice',
  lark: 'Lark grammar',
  gbnf: 'GBNF grammar',
};

export const SAMPLING = {
  temperature: { label: 'Temperature', min: 0, max: 2, step: 0.1 },
  top_p: { label: 'Top p', min: 0, max: 1, step: 0.05 },
  max_tokens: { label: 'Most tokens', min: 1, step: 1 },
  seed: { label: 'Seed', step: 1 },
};

const TOP_LOGPROBS = 8;
const ROLES = new Set(['user', 'assistant', 'tool']);

/** Settings of the page, all texts as typed, and the conversation. Events: `change` for settings, `load` for all. */
export class Session extends EventTarget {
  constructor() {
    super();
    this.clear();
  }

  clear() {
    Object.assign(this, {
      model: '', system: '', policy: '', tools: '', showTokens: true, confidence: true,
      sampling: Object.fromEntries(Object.keys(SAMPLING).map((name) => [name, ''])),
      constraint: { kind: 'none', text: '' },
      turns: [],
    });
  }

  change() {
    this.dispatchEvent(new Event('change'));
  }

  /** Return everything but answers' details, for a link. */
  saved() {
    const { model, system, policy, tools, showTokens, confidence, sampling, constraint } = this;
    return { model, system, policy, tools, showTokens, confidence, sampling, constraint, messages: this.messages() };
  }

  /** Take over what `saved` returned, or a part of it; members of another type are ignored. */
  load(saved) {
    this.clear();
    for (const name of ['model', 'system', 'policy', 'tools']) if (typeof saved[name] === 'string') this[name] = saved[name];
    for (const name of ['showTokens', 'confidence']) if (typeof saved[name] === 'boolean') this[name] = saved[name];
    for (const name of Object.keys(SAMPLING)) {
      const value = saved.sampling?.[name];
      if (['string', 'number'].includes(typeof value)) this.sampling[name] = String(value);
    }
    const { kind, text } = saved.constraint ?? {};
    if (Object.hasOwn(CONSTRAINTS, kind ?? '') && typeof text === 'string') this.constraint = { kind, text };
    for (const message of Array.isArray(saved.messages) ? saved.messages : []) {
      if (!ROLES.has(message?.role)) continue;
      if (message.role === 'assistant') {
        const calls = Array.isArray(message.tool_calls) ? message.tool_calls : [];
        this.turns.push({ role: 'assistant', answers: [answerOf(String(message.content ?? ''), calls)], current: 0 });
      } else {
        this.turns.push({ role: message.role, content: String(message.content ?? ''), tool_call_id: message.tool_call_id });
      }
    }
    this.dispatchEvent(new Event('load'));
    this.change();
  }

  /** Return the conversation before turn `end` as messages of the API. */
  messages(end = this.turns.length) {
    return this.turns.slice(0, end).map((turn) => {
      if (turn.role === 'user') return { role: 'user', content: turn.content };
      if (turn.role === 'tool') return { role: 'tool', tool_call_id: turn.tool_call_id, content: turn.content };
      const { content, calls } = turn.answers[turn.current];
      return calls.length ? { role: 'assistant', content: content || null, tool_calls: calls } : { role: 'assistant', content };
    });
  }

  /** Return the body for `/v1/chat/completions` after these messages.
   *  @throws {Error} A text of the settings cannot be sent; says which. */
  body(messages, { prefix = '' } = {}) {
    const body = { model: this.model || undefined, messages: this.system ? [{ role: 'system', content: this.system }, ...messages] : messages };
    for (const [name, value] of Object.entries(this.sampling)) if (value !== '') body[name] = Number(value);
    Object.assign(body, this.constraintFields());
    if (this.tools.trim()) body.tools = parsed(this.tools, 'the tools');
    if (this.policy) body.guardrails = { config_id: this.policy };
    if (this.confidence) body.confidence = true;
    if (this.showTokens) Object.assign(body, { logprobs: true, top_logprobs: TOP_LOGPROBS, logprobs_details: true });
    if (prefix) body.answer_prefix = prefix;
    return JSON.parse(JSON.stringify(body));
  }

  constraintFields() {
    const { kind, text } = this.constraint;
    if (kind === 'none' || !text.trim()) return {};
    if (kind === 'schema') {
      return { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: parsed(text, 'the schema') } } };
    }
    if (kind === 'regex') return { structured_outputs: { regex: text } };
    if (kind === 'choice') return { structured_outputs: { choice: choices(text) } };
    return { response_format: { type: 'grammar', grammar: { syntax: kind, definition: text } } };
  }

  /** Return the body for the routes of grammars; null without a constraint. */
  grammarBody() {
    const { kind, text } = this.constraint;
    if (kind === 'none' || !text.trim()) return null;
    if (kind === 'schema') return { schema: JSON.parse(text) };
    return { [kind]: kind === 'choice' ? choices(text) : text };
  }
}

/** Return an answer with nothing known but its text. */
export function answerOf(content = '', calls = []) {
  return {
    content, calls, prefix: '', reasoning: '', tokens: [], finish: null, guards: [], confidence: [], verdict: null,
    verifiedBy: null, usage: null, error: null, isStopped: false, firstMs: null, totalMs: null,
  };
}

const choices = (text) => text.split('\n').map((line) => line.trim()).filter(Boolean);

function parsed(text, name) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${name} cannot be sent: ${error.message}`);
  }
}
