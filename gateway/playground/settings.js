import './constraint.js';
import './editor.js';
import { json } from './api.js';
import { h, newId, number } from './element.js';
import { jsonError } from './places.js';
import { CONSTRAINTS, SAMPLING } from './session.js';

const TOOLS_HINT = '[{"type": "function", "function": {\n  "name": "get_weather",\n  "parameters": {"type": "object",\n    "properties": {"city": {"type": "string"}},\n    "required": ["city"]}}}]';

/** Everything of a request but the conversation. */
export class Settings extends HTMLElement {
  /** Begin with a session, whose settings this changes. */
  bind(session) {
    this.session = session;
    const set = (name) => (event) => { session[name] = event.target.value; session.change(); };
    const system = h('textarea', { rows: 3, 'aria-label': 'System prompt', placeholder: 'You are …', oninput: set('system') });
    const constraint = h('pg-constraint');
    const tools = h('pg-editor', { label: 'Tools' });
    tools.placeholder = TOOLS_HINT;
    const toolsCount = () => {
      try {
        tools.mark([]);
        const found = session.tools.trim() ? JSON.parse(session.tools) : [];
        return Array.isArray(found) && found.length ? `${found.length} ${found.length === 1 ? 'tool' : 'tools'}` : 'none';
      } catch (error) {
        tools.mark([jsonError(session.tools, error)]);
        return 'not valid';
      }
    };
    tools.addEventListener('input', () => { session.tools = tools.value; session.change(); });
    const policy = h('select', { 'aria-label': 'Policy', onchange: set('policy') });
    const model = h('select', { onchange: set('model') });
    const sampling = Object.entries(SAMPLING).map(([name, { label, ...bounds }]) => {
      const id = newId(name);
      const input = h('input', { id, type: 'number', placeholder: 'default', ...bounds, oninput: () => { session.sampling[name] = input.value; session.change(); } });
      return { name, input, row: h('div', { class: 'field' }, h('label', { for: id }, label), input) };
    });
    const switchOf = (name, text) => {
      const input = h('input', { type: 'checkbox', onchange: () => { session[name] = input.checked; session.change(); } });
      return { name, input, row: h('label', { class: 'switch' }, input, ` ${text}`) };
    };
    const switches = [switchOf('showTokens', 'Probabilities and times of tokens'), switchOf('confidence', 'Confidence in each field')];
    const modelId = newId('model');
    model.id = modelId;
    const sections = {
      Constraint: section('Constraint', true, constraint),
      Tools: section('Tools', false, tools),
      'System prompt': section('System prompt', false, system),
      Policy: section('Policy', false, policy),
      Sampling: section('Model and sampling', false, h('div', { class: 'field' }, h('label', { for: modelId }, 'Model'), model), sampling.map((each) => each.row)),
      Shown: section('Shown with answers', false, switches.map((each) => each.row)),
    };
    this.append(...Object.values(sections));
    constraint.bind(session);

    const summarize = () => {
      const said = Object.entries(session.sampling).filter(([, value]) => value !== '').map(([name, value]) => `${SAMPLING[name].label.toLowerCase()} ${value}`);
      const says = {
        Constraint: CONSTRAINTS[session.constraint.kind].toLowerCase().replace('json schema', 'JSON Schema').replace('gbnf', 'GBNF').replace('lark', 'Lark'),
        Tools: toolsCount(),
        'System prompt': session.system ? `${number(session.system.length)} characters` : 'none',
        Policy: session.policy || (this.default ?? 'none'),
        Sampling: said.join(', ') || 'defaults',
        Shown: [session.showTokens && 'tokens', session.confidence && 'confidence'].filter(Boolean).join(', ') || 'text alone',
      };
      for (const [name, text] of Object.entries(says)) sections[name].querySelector('.said').textContent = text;
    };
    const show = () => {
      system.value = session.system;
      tools.value = session.tools;
      policy.value = session.policy;
      model.value = session.model;
      for (const { name, input } of sampling) input.value = session.sampling[name];
      for (const { name, input } of switches) input.checked = session[name];
      sections.Tools.open ||= session.tools !== '';
      sections['System prompt'].open ||= session.system !== '';
      summarize();
    };
    session.addEventListener('change', summarize);
    session.addEventListener('load', show);
    this.refresh = async () => {
      const [models, policies] = await Promise.all([json('v1/models'), json('v1/policies')]);
      this.default = policies.default;
      const [first] = models.data;
      model.replaceChildren(...models.data.map(({ id }) => h('option', { value: id === first.id ? '' : id }, id)));
      const unsaid = policies.default === null ? 'none on this server' : `${policies.default} (default)`;
      policy.replaceChildren(h('option', { value: '' }, unsaid), ...policies.data.filter(({ id }) => id !== policies.default).map(({ id }) => h('option', { value: id }, id)));
      policy.disabled = policies.data.length === 0;
      show();
      return first;
    };
    show();
  }
}

function section(title, isOpen, ...children) {
  return h('details', { open: isOpen }, h('summary', {}, h('span', {}, title), h('span', { class: 'said' })), h('div', { class: 'inner' }, ...children));
}

customElements.define('pg-settings', Settings);
