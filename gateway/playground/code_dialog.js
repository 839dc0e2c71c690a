import { apiKey } from './api.js';
import { copy, h } from './element.js';
import { SNIPPETS } from './snippets.js';

/** Show a request as a program, in a dialog. */
export function showCode(body) {
  const code = h('code');
  const copyButton = h('button', { type: 'button', onclick: () => copy(code.textContent, copyButton) }, 'Copy');
  const names = Object.keys(SNIPPETS);
  const tabs = names.map((name) => h('button', {
    type: 'button', role: 'tab', id: `tab-${name}`, 'aria-controls': 'code-panel', onclick: () => select(name),
    onkeydown: (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (step) select(names.at((names.indexOf(name) + step) % names.length)).focus();
    },
  }, name));
  const panel = h('pre', { id: 'code-panel', role: 'tabpanel', tabindex: 0 }, code);
  const dialog = h('dialog', { class: 'code', 'aria-label': 'The request as code', onclose: () => dialog.remove() },
    h('div', { class: 'row' }, h('div', { role: 'tablist', 'aria-label': 'Language' }, tabs), copyButton,
      h('button', { type: 'button', onclick: () => dialog.close() }, 'Close')),
    panel);

  function select(name) {
    code.textContent = SNIPPETS[name](body, apiKey() !== '');
    panel.setAttribute('aria-labelledby', `tab-${name}`);
    for (const tab of tabs) {
      const isSelected = tab.textContent === name;
      tab.setAttribute('aria-selected', String(isSelected));
      tab.tabIndex = isSelected ? 0 : -1;
    }
    return tabs[names.indexOf(name)];
  }

  document.body.append(dialog);
  dialog.showModal();
  select(names[0]).focus();
}
