import './answer.js';
import { events } from './api.js';
import { showCode } from './code_dialog.js';
import { announce, copy, h } from './element.js';
import { EXAMPLES } from './examples.js';
import { answerOf } from './session.js';
import { linkOf } from './share.js';
import { tokenOf } from './tokens.js';

const HEADERS = { 'x-portcullis-verdict': '1' };
const NEAR_END_PX = 80;

/** The conversation, and the field for the next message. */
export class Chat extends HTMLElement {
  #asking = null;
  #log = h('section', { class: 'log', 'aria-label': 'Conversation', tabindex: 0 });
  #field = h('textarea', { id: 'message', rows: 2, 'aria-label': 'Message', placeholder: 'Write a message' });
  #send = h('button', { type: 'submit', class: 'primary' }, 'Send');
  #problem = h('p', { class: 'problem', role: 'alert' });

  /** Begin with a session, whose conversation this continues. */
  bind(session) {
    this.session = session;
    const share = h('button', { type: 'button', class: 'quiet', onclick: async () => {
      const link = await linkOf(session.saved());
      history.replaceState(null, '', link);
      await copy(link, share);
    } }, 'Copy link');
    const form = h('form', { class: 'composer', onsubmit: (event) => { event.preventDefault(); this.#submit(); } }, this.#problem, this.#field,
      h('div', { class: 'row' },
        h('button', { type: 'button', class: 'quiet settings-toggle', 'aria-expanded': 'false', onclick: (event) => this.#toggleSettings(event.currentTarget) }, 'Settings'),
        h('button', { type: 'button', class: 'quiet', onclick: () => this.#showCode() }, 'Code'), share,
        h('button', { type: 'button', class: 'quiet', onclick: () => this.#reset() }, 'New'), this.#send));
    this.append(this.#log, form);
    this.#field.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
        event.preventDefault();
        this.#submit();
      }
    });
    this.#log.addEventListener('drawn', () => { if (this.isAtEnd) this.#log.scrollTop = this.#log.scrollHeight; });
    this.#log.addEventListener('scroll', () => { this.isAtEnd = this.#log.scrollHeight - this.#log.scrollTop - this.#log.clientHeight < NEAR_END_PX; });
    session.addEventListener('load', () => { this.stop(); this.#show(); });
    this.isAtEnd = true;
    this.#show();
  }

  /** End the answer under way; what has come stays. */
  stop() {
    this.#asking?.abort();
  }

  get isAnswering() {
    return this.#asking !== null;
  }

  #toggleSettings(button) {
    const isOpen = document.body.classList.toggle('settings-open');
    button.setAttribute('aria-expanded', String(isOpen));
  }

  #reset() {
    this.session.load({ ...this.session.saved(), messages: [] });
    this.#field.focus();
  }

  #showCode() {
    const draft = this.#field.value.trim();
    const messages = this.session.messages();
    while (messages.at(-1)?.role === 'assistant') messages.pop();
    if (draft) messages.push({ role: 'user', content: draft });
    this.#tried(() => showCode(this.session.body(messages.length ? messages : [{ role: 'user', content: 'Hello' }])));
  }

  /** Run something that needs the request; say why where there is none. */
  #tried(work) {
    this.#problem.textContent = '';
    try {
      return work();
    } catch (error) {
      this.#problem.textContent = error.message;
      return null;
    }
  }

  #submit() {
    if (this.#asking) {
      this.stop();
      return;
    }
    const { session } = this;
    const content = this.#field.value.trim();
    if (!content || this.#tried(() => session.body([])) === null) return;
    if (document.body.classList.contains('settings-open')) this.#toggleSettings(this.querySelector('.settings-toggle'));
    session.turns.push({ role: 'user', content });
    this.#field.value = '';
    this.#show();
    this.#ask(session.turns.length);
  }

  /** Draw the whole conversation. */
  #show() {
    const { turns } = this.session;
    this.#log.replaceChildren(...(turns.length ? turns.map((turn, index) => this.#turn(turn, index)) : [this.#welcome()]));
    this.#log.scrollTop = turns.length ? this.#log.scrollHeight : 0;
  }

  #welcome() {
    return h('div', { class: 'welcome' }, h('h2', {}, 'Answers in the shape you ask for'),
      h('p', {}, 'Write a message, or begin with an example. A constraint in the settings decides which tokens may be generated.'),
      h('ul', {}, EXAMPLES.map(({ title, about, prompt, settings }) => h('li', {}, h('button', { type: 'button', onclick: () => {
        const { showTokens, confidence, model } = this.session;
        this.session.load({ showTokens, confidence, model, ...settings });
        this.#field.value = prompt;
        this.#submit();
      } }, h('strong', {}, title), h('span', {}, about))))));
  }

  #turn(turn, index) {
    if (turn.role === 'user') return h('article', { class: 'turn user' }, h('h2', { class: 'unseen' }, 'Message'), h('p', {}, turn.content));
    if (turn.role === 'tool') return h('article', { class: 'turn tool' }, h('h2', {}, 'Tool result'), h('pre', {}, h('code', {}, turn.content)));
    const view = h('pg-answer', { class: 'turn' });
    const answer = turn.answers[turn.current];
    view.isAnswered = index < this.session.turns.length - 1;
    view.bind(answer, turn, this.session.showTokens);
    view.addEventListener('branch', (event) => this.#ask(index, event.detail.text));
    view.addEventListener('retry', () => this.#ask(index, answer.prefix));
    view.addEventListener('version', (event) => { turn.current = event.detail; this.session.turns.length = index + 1; this.#show(); });
    view.addEventListener('results', (event) => {
      this.session.turns.push(...event.detail.map(({ id, content }) => ({ role: 'tool', tool_call_id: id, content })));
      this.#show();
      this.#ask(this.session.turns.length);
    });
    if (answer !== this.current) view.finish();
    return view;
  }

  /** Ask for an answer as turn `index`, beside those that it has; turns after it are dropped. */
  async #ask(index, prefix = '') {
    const { session } = this;
    this.stop();
    const body = this.#tried(() => session.body(session.messages(index), { prefix }));
    if (body === null) return;
    const turn = session.turns[index] ?? { role: 'assistant', answers: [], current: 0 };
    session.turns.splice(index, Infinity, turn);
    const answer = answerOf(prefix);
    answer.prefix = prefix;
    turn.current = turn.answers.push(answer) - 1;
    const asking = new AbortController();
    this.#asking = asking;
    this.current = answer;
    this.#show();
    const view = this.#log.lastElementChild;
    view.classList.add('under-way');
    this.isAtEnd = true;
    this.#send.textContent = 'Stop';
    announce('The answer is coming.');
    const begun = performance.now();
    try {
      const options = { body: { ...body, stream: true, stream_options: { include_usage: true } }, signal: asking.signal, headers: HEADERS };
      for await (const event of events('v1/chat/completions', options)) {
        answer.firstMs ??= this.#holdsOutput(event) ? performance.now() - begun : null;
        take(event, answer, view);
      }
    } catch (error) {
      if (error.name === 'AbortError') answer.isStopped = true;
      else answer.error = error;
    }
    answer.totalMs = performance.now() - begun;
    view.classList.remove('under-way');
    view.finish();
    if (this.#asking === asking) {
      this.#asking = null;
      this.current = null;
      this.#send.textContent = 'Send';
      announce(answer.error ? `No answer: ${answer.error.message}` : `Answer: ${answer.content || 'a tool call'}`);
      if (this.isAtEnd) this.#log.scrollTop = this.#log.scrollHeight;
    }
  }

  #holdsOutput(event) {
    const delta = event.choices[0]?.delta ?? {};
    return Boolean(delta.content || delta.tool_calls || delta.reasoning);
  }
}

/** Add an event of the stream to an answer and its view. */
function take(event, answer, view) {
  const [choice] = event.choices;
  if (event.usage) answer.usage = event.usage;
  if (event.verdict) answer.verdict = event.verdict;
  if (!choice) return;
  const { delta } = choice;
  const tokens = (choice.logprobs?.content ?? []).map(tokenOf);
  // A server that repeats the given beginning sends it with the first text.
  let text = delta.content ?? '';
  if (answer.skip === undefined) answer.skip = answer.prefix;
  if (answer.skip && text) {
    const same = answer.skip.startsWith(text) ? text.length : text.startsWith(answer.skip) ? answer.skip.length : 0;
    text = text.slice(same);
    answer.skip = answer.skip.slice(same);
  }
  answer.content += text;
  answer.tokens.push(...tokens);
  view.push(text, tokens);
  if (delta.reasoning) {
    answer.reasoning += delta.reasoning;
    view.think(delta.reasoning);
  }
  for (const call of delta.tool_calls ?? []) {
    answer.calls[call.index] ??= { id: call.id, type: 'function', function: { name: '', arguments: '' } };
    const { function: made } = answer.calls[call.index];
    made.name += call.function?.name ?? '';
    made.arguments += call.function?.arguments ?? '';
  }
  if (choice.finish_reason) answer.finish = choice.finish_reason;
  if (choice.guards) answer.guards = choice.guards;
  if (choice.confidence) answer.confidence = choice.confidence;
}

customElements.define('pg-chat', Chat);
